package io.delaybridge.bench.speed;

/** The options of the command line; {@link Options} has their values. */
enum Option {
  SIZE("--size", "100", "bytes of a value, 1 to 100000"),
  MESSAGES("--messages", "400000", "messages written before each measurement, 20000 to 5000000"),
  PARTITIONS("--partitions", "8", "partitions of intake and target, 1 to 256"),
  GUARANTEE("--guarantee", "exactly_once", "exactly_once or at_least_once"),
  BACKLOG("--backlog", "500000", "messages that stay pending, 1000 to 20000000"),
  FAR("--far", "0", "far messages beside these, half of them with an id, 0 to 20000000"),
  ROUNDS("--rounds", "3", "rounds, or forks of JMH, 1 to 100"),
  LOOPS("--loops", "0", "loops of the bridge, 0 (its default) to 64"),
  BRIDGE_JVM(
      "--bridge-jvm",
      "-Xmx512m",
      "JVM options of bridge and pass-through, after jvm.options; separated by commas"),
  REDIS("--redis", "appendonly=yes", "settings of Redis, name=value; separated by commas"),
  MINUTES("--minutes", "30", "length of the soak, 1 to 600"),
  RATES("--rates", "500", "messages a second, 1 to 20000"),
  TOLERANCES("--tolerances", "10", "milliseconds, 0 to 500");

  private final String key;
  private final String absent;
  private final String help;

  Option(String key, String absent, String help) {
    this.key = key;
    this.absent = absent;
    this.help = help;
  }

  /** Returns the option as on the command line. */
  String key() {
    return key;
  }

  /** Returns the default of experiments without one of their own. */
  String absent() {
    return absent;
  }

  /** Returns the meaning and the allowed values. */
  String help() {
    return help;
  }
}
