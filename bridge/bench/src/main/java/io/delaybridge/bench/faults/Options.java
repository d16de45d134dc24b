package io.delaybridge.bench.faults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command line options.
 *
 * @param what action of the program
 * @param rows names of the rows; none for all
 * @param guarantees guarantees to run each row with, as far as it has them
 * @param seed seed of every run, or empty for a new one for each run
 * @param scale fraction of the messages and injections
 * @param results directory for the results, which is also the source of the report
 */
record Options(
    What what,
    List<String> rows,
    List<Guarantee> guarantees,
    Optional<Long> seed,
    double scale,
    boolean single,
    Optional<Path> kept,
    Path results) {

  static final String HELP =
      """
      Kills, freezes and disturbs real bridges, Kafka and Redis, and accounts for every message.

      mvn -q -Pfaults [-Dargs="OPTION..."]

        --only ROW[,ROW...]   run only these rows; default: all
        --guarantee NAME      exactly_once or at_least_once; default: both
        --seed NUMBER         repeat the choices of a run; default: a new seed for each run
        --scale SHARE         share of the messages and injections, above 0 up to 1; default: 1
        --single              inject one fault per row, to see how long it alone delays messages
        --quick               run a small selection for a few minutes; results go under target
        --results DIR         directory for results and source of the report; docs/reliability
        --report              only write docs/reliability.md from the results there are
        --recheck DIR         check the kept directory of a failed run again for what is left over,
                              and correct its result
        --list                list the rows
        --help                print this text

      Without --quick, the report is written after the last run. Exit status: 0 if every promise
      was kept, 1 if one was broken, 2 if the options are wrong, 3 if a run could not finish.
      """;

  /** Returns the directory for the results of single faults, apart from the others. */
  Path singles() {
    return results.resolve("single");
  }

  /** The actions of the program. */
  enum What {
    RUN,
    QUICK,
    RECHECK,
    REPORT,
    LIST,
    HELP
  }

  /**
   * Reads the command line.
   *
   * @param root root directory of the checkout
   * @throws IllegalArgumentException naming the option, its value and the allowed values
   */
  static Options parse(List<String> arguments, Path root) {
    Parser parser = new Parser(arguments);
    What what = What.RUN;
    List<String> rows = List.of();
    List<Guarantee> guarantees = List.of(Guarantee.values());
    Optional<Long> seed = Optional.empty();
    double scale = 1;
    boolean single = false;
    Optional<Path> kept = Optional.empty();
    Optional<Path> results = Optional.empty();
    while (parser.hasNext()) {
      String option = parser.next();
      switch (option) {
        case "--only" -> rows = rows(parser.value());
        case "--guarantee" -> guarantees = List.of(guarantee(parser.value()));
        case "--seed" -> seed = Optional.of(seed(parser.value()));
        case "--scale" -> scale = scale(parser.value());
        case "--single" -> single = true;
        case "--results" -> results = Optional.of(root.resolve(parser.value()));
        case "--quick" -> what = What.QUICK;
        case "--recheck" -> {
          what = What.RECHECK;
          kept = Optional.of(root.resolve(parser.value()));
        }
        case "--report" -> what = What.REPORT;
        case "--list" -> what = What.LIST;
        case "--help" -> what = What.HELP;
        default ->
            throw new IllegalArgumentException(option + " is not an option, allowed: see --help");
      }
    }
    String standard =
        what == What.QUICK ? "bridge/bench/target/faults/results" : "docs/reliability";
    return new Options(
        what, rows, guarantees, seed, scale, single, kept, results.orElse(root.resolve(standard)));
  }

  private static List<String> rows(String text) {
    List<String> names = Arrays.asList(text.split(",", -1));
    for (String name : names) {
      if (Rows.named(name).isEmpty()) {
        throw wrong(
            "--only", name, Rows.all().stream().map(Row::name).collect(Collectors.joining(", ")));
      }
    }
    return List.copyOf(names);
  }

  private static Guarantee guarantee(String text) {
    return Stream.of(Guarantee.values())
        .filter(each -> each.key().equals(text))
        .findFirst()
        .orElseThrow(() -> wrong("--guarantee", text, "exactly_once, at_least_once"));
  }

  private static long seed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw wrong("--seed", text, "a whole number");
    }
  }

  private static double scale(String text) {
    try {
      double scale = Double.parseDouble(text);
      if (scale > 0 && scale <= 1) {
        return scale;
      }
    } catch (NumberFormatException e) {
      // The exception below names the allowed values.
    }
    throw wrong("--scale", text, "more than 0, at most 1");
  }

  private static IllegalArgumentException wrong(String option, String value, String allowed) {
    return new IllegalArgumentException(
        "%s is '%s', allowed: %s".formatted(option, value, allowed));
  }

  private static final class Parser {
    private final List<String> words;
    private int at;

    Parser(List<String> words) {
      this.words = new ArrayList<>(words);
    }

    boolean hasNext() {
      return at < words.size();
    }

    String next() {
      return words.get(at++);
    }

    String value() {
      if (!hasNext()) {
        throw new IllegalArgumentException(words.get(at - 1) + " needs a value, see --help");
      }
      return next();
    }
  }
}
