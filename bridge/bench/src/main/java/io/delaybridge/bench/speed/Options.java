package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.lab.Guarantee;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of one experiment. An option that it does not use also has a value, which is never
 * read.
 *
 * @param sizes bytes of the values
 * @param messages number of messages in one filling of an intake
 * @param backlog number of messages that are pending throughout, if the experiment needs them
 * @param far number of far messages that are pending throughout, half of them with an id
 * @param rounds number of rounds, each of which measures everything
 * @param loops number of loops of the bridge, 0 for its default
 * @param bridgeJvm arguments for the JVM of bridge and pass-through
 * @param redis settings of Redis, in addition to those of docs/configuration.md
 * @param minutes duration of the soak
 * @param rates in messages a second
 * @param tolerances in milliseconds
 * @param words the options that the experiment uses and their values, as on a command line
 */
record Options(
    List<Integer> sizes,
    int messages,
    int partitions,
    List<Guarantee> guarantees,
    int backlog,
    int far,
    int rounds,
    int loops,
    List<String> bridgeJvm,
    Map<String, String> redis,
    int minutes,
    List<Integer> rates,
    List<Integer> tolerances,
    String words) {

  private static final Pattern SETTING = Pattern.compile("([a-z-]+)=([^=]+)");

  /**
   * Returns the given values of the options that the experiment uses, and defaults for the rest.
   *
   * @throws IllegalArgumentException if a value is wrong; names it and the allowed values
   */
  static Options of(Experiment experiment, Map<Option, String> given) {
    Map<Option, String> used = new EnumMap<>(Option.class);
    used.putAll(experiment.options());
    used.replaceAll(given::getOrDefault);
    used.forEach((option, text) -> requireOne(experiment, option, text));
    return new Options(
        numbers(used, Option.SIZE, 1, 100_000),
        number(used, Option.MESSAGES, 20_000, 5_000_000),
        number(used, Option.PARTITIONS, 1, 256),
        guarantees(value(used, Option.GUARANTEE)),
        number(used, Option.BACKLOG, 1_000, 20_000_000),
        number(used, Option.FAR, 0, 20_000_000),
        number(used, Option.ROUNDS, 1, 100),
        number(used, Option.LOOPS, 0, 64),
        jvm(value(used, Option.BRIDGE_JVM)),
        settings(value(used, Option.REDIS)),
        number(used, Option.MINUTES, 1, 600),
        numbers(used, Option.RATES, 1, 20_000),
        numbers(used, Option.TOLERANCES, 0, 500),
        CommandLine.words(used));
  }

  /** Returns the only size of the experiment. */
  int size() {
    return sizes.get(0);
  }

  /** Returns the only guarantee of the experiment. */
  Guarantee guarantee() {
    return guarantees.get(0);
  }

  private static void requireOne(Experiment experiment, Option option, String text) {
    boolean isList = option == Option.BRIDGE_JVM || option == Option.REDIS;
    if (!isList && text.contains(",") && !experiment.takesSeveral(option)) {
      throw new IllegalArgumentException(
          "%s is '%s', allowed for %s: one value (%s)"
              .formatted(option.key(), text, experiment.name(), option.help()));
    }
  }

  private static String value(Map<Option, String> used, Option option) {
    return used.getOrDefault(option, option.absent());
  }

  private static List<Integer> numbers(
      Map<Option, String> used, Option option, int least, int most) {
    return once(
        option,
        Arrays.stream(value(used, option).split(",", -1))
            .map(text -> number(option, text, least, most))
            .toList());
  }

  private static int number(Map<Option, String> used, Option option, int least, int most) {
    return number(option, value(used, option), least, most);
  }

  private static int number(Option option, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the allowed values.
    }
    throw new IllegalArgumentException(
        "%s is '%s', allowed: %d to %d".formatted(option.key(), text, least, most));
  }

  private static List<Guarantee> guarantees(String text) {
    List<Guarantee> all;
    try {
      all = Arrays.stream(text.split(",", -1)).map(Guarantee::of).toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--guarantee is '%s', allowed: exactly_once, at_least_once".formatted(text), e);
    }
    return once(Option.GUARANTEE, all);
  }

  private static List<String> jvm(String text) {
    List<String> all = List.of(text.split(",", -1));
    if (!all.stream().allMatch(argument -> argument.startsWith("-"))) {
      throw new IllegalArgumentException(
          "--bridge-jvm is '%s', allowed: arguments that begin with -, with commas"
              .formatted(text));
    }
    return all;
  }

  private static Map<String, String> settings(String text) {
    Map<String, String> all = new LinkedHashMap<>();
    for (String setting : text.split(",", -1)) {
      Matcher matcher = SETTING.matcher(setting);
      if (!matcher.matches() || all.put(matcher.group(1), matcher.group(2)) != null) {
        throw new IllegalArgumentException(
            "--redis is '%s', allowed: name=value, with commas, each name once".formatted(text));
      }
    }
    return all;
  }

  private static <T> List<T> once(Option option, List<T> all) {
    if (new HashSet<>(all).size() < all.size()) {
      throw new IllegalArgumentException(option.key() + " is " + all + ", allowed: each once");
    }
    return all;
  }
}
