package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.lab.Guarantee;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is asked for on the command line.
 *
 * @param what names of experiments, in this order
 * @param sizes bytes of the values
 * @param messages in one filling of an intake
 * @param backlog messages that are pending all the while, where that matters
 * @param rounds how often everything is measured
 * @param loops of the bridge, 0 for its default
 * @param bridgeJvm arguments for the JVM of bridge and pass-through
 * @param minutes of the soak
 */
record Options(
    List<String> what,
    List<Integer> sizes,
    int messages,
    int partitions,
    List<Guarantee> guarantees,
    int backlog,
    int rounds,
    int loops,
    List<String> bridgeJvm,
    int minutes) {

  static final String HELP =
      """
      mvn -q -Pbench -Dargs="<what>... [options]"

        what: %s

        --size 100,1024        bytes of a value, 1 to 100000; several with commas
        --messages 400000      in one filling, 20000 to 5000000
        --partitions 8         of intake and target, 1 to 256
        --guarantee exactly_once,at_least_once
        --backlog 500000       pending all the while where that matters, 1000 to 20000000
        --rounds 3             measured rounds, 1 to 100
        --loops 0              loops of the bridge, 0 (its default) to 64
        --bridge-jvm "-Xmx512m"  arguments for the JVM of bridge and pass-through, with commas
        --minutes 30           of the soak, 1 to 600
        --help

      Broker, Redis, bridge and pass-through run as processes of this machine; what they write is
      under bridge/bench/target/speed. Results go to docs/benchmarks.
      """;

  private static final Set<String> NAMES =
      Set.of(
          "--size",
          "--messages",
          "--partitions",
          "--guarantee",
          "--backlog",
          "--rounds",
          "--loops",
          "--bridge-jvm",
          "--minutes");

  /**
   * Reads the command line.
   *
   * @param known names of experiments
   * @throws IllegalArgumentException naming what is wrong and what is allowed
   */
  static Options parse(List<String> words, Set<String> known) {
    Map<String, String> given = new HashMap<>();
    List<String> what = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (NAMES.contains(word)) {
        if (++i == words.size()) {
          throw new IllegalArgumentException(word + " has no value");
        }
        given.put(word, words.get(i));
      } else if (known.contains(word)) {
        what.add(word);
      } else {
        throw new IllegalArgumentException(
            "'%s' is not known, allowed: %s and the options of --help".formatted(word, known));
      }
    }
    if (what.isEmpty()) {
      throw new IllegalArgumentException("nothing to measure, allowed: " + known);
    }
    return new Options(
        List.copyOf(what),
        once(
            "--size",
            Arrays.stream(given.getOrDefault("--size", "100,1024").split(",", -1))
                .map(size -> number("--size", size, 1, 100_000))
                .toList()),
        number(given, "--messages", "400000", 20_000, 5_000_000),
        number(given, "--partitions", "8", 1, 256),
        guarantees(given.getOrDefault("--guarantee", "exactly_once,at_least_once")),
        number(given, "--backlog", "500000", 1_000, 20_000_000),
        number(given, "--rounds", "3", 1, 100),
        number(given, "--loops", "0", 0, 64),
        List.of(given.getOrDefault("--bridge-jvm", "-Xmx512m").split(",")),
        number(given, "--minutes", "30", 1, 600));
  }

  private static int number(
      Map<String, String> given, String name, String absent, int least, int most) {
    return number(name, given.getOrDefault(name, absent), least, most);
  }

  private static int number(String name, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, with what is allowed.
    }
    throw new IllegalArgumentException(
        "%s is '%s', allowed: %d to %d".formatted(name, text, least, most));
  }

  private static List<Guarantee> guarantees(String text) {
    List<Guarantee> all;
    try {
      all = Arrays.stream(text.split(",", -1)).map(Guarantee::of).toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--guarantee is '%s', allowed: exactly_once, at_least_once or both with a comma"
              .formatted(text),
          e);
    }
    return once("--guarantee", all);
  }

  private static <T> List<T> once(String name, List<T> all) {
    if (new HashSet<>(all).size() < all.size()) {
      throw new IllegalArgumentException(name + " is " + all + ", allowed: each once");
    }
    return all;
  }
}
