package io.delaybridge.bench.speed.lab;

import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.ClassArchive;
import io.delaybridge.stack.JavaProcess;
import io.delaybridge.stack.ProcessServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The processes that are compared, each with its own intake, target and group. */
public final class Lanes implements AutoCloseable {

  /** A process that is frozen for longer would be removed from its group. */
  static final String SESSION_MS = "60000";

  private static final Duration START = Duration.ofSeconds(60);

  private final Lab lab;
  private final Path jar;
  private final Path template;
  private final int partitions;
  private final List<String> jvm;
  private final Closing closing = new Closing();

  /**
   * Creates the class archive of the bridge if necessary, which takes less than a minute. The
   * bridge starts with it, as in the image.
   *
   * @param root the checkout, which contains the jar and the configuration of the bridge
   * @param jvm arguments for the JVM of both bridge and pass-through, after those of the bridge
   *     itself
   */
  public Lanes(Lab lab, Path root, int partitions, List<String> jvm) {
    this.lab = lab;
    this.partitions = partitions;
    this.jvm = List.copyOf(jvm);
    this.jar = root.resolve("bridge/service/target/delay-bridge/delay-bridge.jar");
    this.template = root.resolve("bridge/service/config.yml");
    ClassArchive.of(jar).make(template);
  }

  /** Starts the pass-through with one loop; it waits this long for more after records arrive. */
  public Lane passThrough(String name, Guarantee guarantee, int waitMs) {
    topics(name);
    JavaProcess process =
        closing.with(
            JavaProcess.of(
                    name,
                    lab.dir().resolve(name),
                    PassThrough.class.getName(),
                    System.getProperty("java.class.path"))
                .jvm(Stream.concat(BridgeProcess.jvmOptions(jar).stream(), jvm.stream()).toList())
                .arguments(
                    lab.bootstrapServers(),
                    name + "-in",
                    name + "-out",
                    guarantee.key(),
                    Integer.toString(waitMs)));
    return lane(name, List.of(process.start()));
  }

  /**
   * Starts the bridge as it is delivered: its own configuration file, but a longer session.
   *
   * @param loops number of loops, 0 for the default
   * @param processes number of processes that share the work
   * @param more environment variables of its configuration
   */
  public Lane bridge(
      String name, Guarantee guarantee, int loops, int processes, Map<String, String> more) {
    topics(name);
    List<ProcessServer> all = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      BridgeProcess process =
          closing.with(process(name + "-" + i, name, guarantee, loops, yml -> yml).env(more));
      all.add(process.start().awaitHealthy(START));
    }
    return lane(name, all);
  }

  /**
   * Returns a bridge as it is delivered, including its session. It is not started, and its topics
   * are not created.
   *
   * @param name of its directory
   * @param shares name of its group and its topics
   */
  public BridgeProcess plain(
      String name, String shares, Guarantee guarantee, String kafka, String redis) {
    Path dir = lab.dir().resolve(name);
    return closing.with(
        BridgeProcess.of(jar, dir)
            .jvm(jvm.toArray(String[]::new))
            .config(template(dir, shares, text -> text))
            .env(env(shares, guarantee))
            .env("KAFKA_BOOTSTRAP_SERVERS", kafka)
            .env("REDIS_URI", redis));
  }

  /**
   * Starts a bridge with one more intake, which has a limited share of each turn.
   *
   * @param other name of that intake and its target, without {@code -in} and {@code -out}
   * @param share most messages of one partition in a turn
   */
  public Lane bridge(String name, Guarantee guarantee, int loops, String other, int share) {
    topics(name);
    topics(other);
    BridgeProcess process =
        closing.with(
            process(
                name,
                name,
                guarantee,
                loops,
                yml ->
                    replaced(
                        replaced(
                            yml,
                            "[\"${INTAKE_TOPIC:-delay-intake}\"]",
                            "[%s-in, %s-in]".formatted(name, other)),
                        "intakes: {}",
                        "intakes: {%s-in: {maxMessages: %d}}".formatted(other, share))));
    return lane(name, List.of(process.start().awaitHealthy(START)));
  }

  private BridgeProcess process(
      String name, String shares, Guarantee guarantee, int loops, UnaryOperator<String> more) {
    Map<String, String> env = env(shares, guarantee);
    if (loops > 0) {
      env.put("DELIVERY_LOOPS", Integer.toString(loops));
    }
    Path dir = lab.dir().resolve(name);
    return BridgeProcess.of(jar, dir)
        .jvm(jvm.toArray(String[]::new))
        .config(
            template(
                dir,
                shares,
                yml ->
                    more.apply(
                        replaced(
                            yml,
                            "  consumer: {}",
                            "  consumer: {session.timeout.ms: " + SESSION_MS + "}"))))
        .env(env);
  }

  private Map<String, String> env(String shares, Guarantee guarantee) {
    Map<String, String> env = new HashMap<>();
    env.put("KAFKA_BOOTSTRAP_SERVERS", lab.bootstrapServers());
    env.put("KAFKA_GROUP_ID", shares);
    env.put("INTAKE_TOPIC", shares + "-in");
    env.put("REDIS_URI", lab.redis().uri());
    env.put("REDIS_PREFIX", shares);
    env.put("DELIVERY_GUARANTEE", guarantee.key());
    return env;
  }

  private Path template(Path dir, String name, UnaryOperator<String> more) {
    try {
      String yml = more.apply(Files.readString(template));
      yml =
          replaced(yml, "deadLetterTopic: delay-deadletter", "deadLetterTopic: " + name + "-dead");
      return Files.writeString(Files.createDirectories(dir).resolve("config.yml"), yml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String replaced(String text, String old, String with) {
    if (!text.contains(old)) {
      throw new IllegalStateException("bridge/service/config.yml has no '" + old + "' any more");
    }
    return text.replace(old, with);
  }

  /** Creates the intake and the target of the processes that share this name. */
  public void topics(String name) {
    lab.createTopic(name + "-in", partitions, false);
    lab.createTopic(name + "-out", partitions, true);
  }

  private static Lane lane(String name, List<ProcessServer> processes) {
    return new Lane(name, name + "-in", name + "-out", processes);
  }

  @Override
  public void close() {
    closing.close();
  }
}
