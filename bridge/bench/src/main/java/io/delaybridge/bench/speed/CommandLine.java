package io.delaybridge.bench.speed;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The parser of the command line: experiments and their options. */
final class CommandLine {

  private static final String HELP =
      """
      Measures the bridge beside a pass-through that only copies.

      mvn -q -Pbench -Dargs="EXPERIMENT... [OPTION VALUE]..."

      Experiments, with their options and defaults (where the default is a list, so may the value be):

      %s
      Options:

      %s  --help

      Broker, Redis, bridge and pass-through run as processes on this machine; their files are in
      bridge/bench/target/speed. When an experiment ends, its page in docs/benchmarks is replaced.
      """;

  private CommandLine() {}

  /** Returns the help text with all experiments and options. */
  static String help() {
    return HELP.formatted(
        Experiment.ALL.stream()
            .map(each -> "  %-11s %s%n".formatted(each.name(), words(each.options())))
            .collect(Collectors.joining()),
        Arrays.stream(Option.values())
            .map(each -> "  %-13s %s%n".formatted(each.key(), each.help()))
            .collect(Collectors.joining()));
  }

  /** Returns options and their values as on a command line. */
  static String words(Map<Option, String> values) {
    Map<Option, String> sorted = new EnumMap<>(Option.class);
    sorted.putAll(values);
    return sorted.entrySet().stream()
        .map(entry -> entry.getKey().key() + " " + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  /**
   * Reads the command line.
   *
   * @return the experiments in their order, each with its options
   * @throws IllegalArgumentException if a word is wrong; names it and the allowed ones
   */
  static Map<Experiment, Options> parse(List<String> words) {
    Map<Option, String> given = new EnumMap<>(Option.class);
    Map<Experiment, Options> what = new LinkedHashMap<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      Optional<Option> option = find(List.of(Option.values()), each -> each.key().equals(word));
      Optional<Experiment> experiment = find(Experiment.ALL, each -> each.name().equals(word));
      if (option.isPresent()) {
        if (++i == words.size()) {
          throw new IllegalArgumentException(word + " has no value");
        }
        requireOnce(given.put(option.get(), words.get(i)) == null, word);
      } else if (experiment.isPresent()) {
        requireOnce(
            what.put(experiment.get(), Options.of(experiment.get(), Map.of())) == null, word);
      } else {
        throw new IllegalArgumentException(
            "'%s' is not known, allowed: %s and the options of --help".formatted(word, names()));
      }
    }
    if (what.isEmpty()) {
      throw new IllegalArgumentException("nothing to measure, allowed: " + names());
    }
    given.keySet().forEach(option -> requireUsed(option, what));
    what.replaceAll((experiment, defaults) -> Options.of(experiment, given));
    return what;
  }

  private static <T> Optional<T> find(List<T> all, Predicate<T> which) {
    return all.stream().filter(which).findFirst();
  }

  private static void requireOnce(boolean first, String word) {
    if (!first) {
      throw new IllegalArgumentException(word + " is given twice, allowed: once");
    }
  }

  private static void requireUsed(Option option, Map<Experiment, Options> what) {
    if (what.keySet().stream().noneMatch(each -> each.options().containsKey(option))) {
      throw new IllegalArgumentException(
          "%s is used by none of %s, allowed: %s"
              .formatted(
                  option.key(),
                  what.keySet().stream().map(Experiment::name).toList(),
                  Arrays.stream(Option.values())
                      .filter(
                          each ->
                              what.keySet().stream().anyMatch(e -> e.options().containsKey(each)))
                      .map(Option::key)
                      .toList()));
    }
  }

  private static List<String> names() {
    return Experiment.ALL.stream().map(Experiment::name).toList();
  }
}
