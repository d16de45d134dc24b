package io.delaybridge.bench.faults;

import io.delaybridge.stack.ClassArchive;
import io.delaybridge.stack.StackException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Utils;

/** The main program of this package; {@code --help} lists its options. */
public final class Main {

  private static final String LOGGING = "io/delaybridge/bench/faults/logback.xml";
  private static final int BROKEN = 1;
  private static final int USAGE = 2;
  private static final int NOT_RUN = 3;

  /** True in Maven's own JVM, as for the other Main: options are checked, but nothing runs. */
  private static final boolean CHECK_ONLY = Boolean.getBoolean("check.only");

  private final Path root;
  private final PrintStream out;

  Main(Path root, PrintStream out) {
    this.root = root;
    this.out = out;
  }

  public static void main(String[] args) {
    // This must come before the first logger: by default, Logback logs everything.
    System.setProperty("logback.configurationFile", LOGGING);
    Path root = Path.of(System.getProperty("root.dir", ".")).toAbsolutePath().normalize();
    int status = new Main(root, System.out).run(List.of(args));
    if (status != 0 || !CHECK_ONLY) {
      System.exit(status);
    }
  }

  /** Runs the program with these arguments and returns the exit status. */
  int run(List<String> arguments) {
    Options options;
    try {
      options = Options.parse(arguments, root);
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      return USAGE;
    }
    if (CHECK_ONLY) {
      return 0;
    }
    return switch (options.what()) {
      case HELP -> {
        out.print(Options.HELP);
        yield 0;
      }
      case LIST -> {
        Rows.all().forEach(this::show);
        yield 0;
      }
      case REPORT -> {
        report(options);
        yield 0;
      }
      case RECHECK -> recheck(options, options.kept().orElseThrow());
      case QUICK -> runs(options, Rows.quick());
      case RUN -> {
        int status = runs(options, rows(options));
        report(options);
        yield status;
      }
    };
  }

  private static List<Row<?>> rows(Options options) {
    List<Row<?>> rows = new ArrayList<>();
    for (Row<?> row : Rows.all()) {
      boolean wanted = options.rows().isEmpty() || options.rows().contains(row.name());
      if (wanted && !(options.single() && row.has(Trait.WHOLE))) {
        rows.add(options.single() ? row.single() : row.scaled(options.scale()));
      }
    }
    return rows;
  }

  private int runs(Options options, List<Row<?>> rows) {
    Results results = new Results(options.single() ? options.singles() : options.results());
    archiveClasses();
    int status = 0;
    for (Row<?> row : rows) {
      for (Guarantee guarantee : options.guarantees()) {
        if (row.guarantees().contains(guarantee)) {
          status = Math.max(status, run(options, row, guarantee, results));
        }
      }
    }
    return status;
  }

  private <S extends Servers> int run(
      Options options, Row<S> row, Guarantee guarantee, Results results) {
    long seed = options.seed().orElseGet(() -> ThreadLocalRandom.current().nextLong(1_000_000_000));
    Path dir = scratch(row.name() + "-" + guarantee.key());

    Run<S> run = Run.of(row, guarantee, seed, jar(), dir);
    line("%s: seed %d, logs in %s".formatted(run, seed, root.relativize(dir)));
    try {
      Outcome outcome = new Runner<>(run, this::line).run();
      line(outcome.summary());
      outcome.findings().forEach(each -> line("  " + each));
      results.write(outcome);
      if (outcome.kept()) {
        // Nobody looks at the logs of a run that went well, and they are large.
        Utils.delete(dir.toFile());
      }
      return outcome.kept() ? 0 : BROKEN;
    } catch (FaultsException | StackException | KafkaException e) {
      line("%s: NOT RUN to its end, seed %d: %s".formatted(run, seed, e));
      e.printStackTrace(out);
      return NOT_RUN;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path scratch(String name) {
    try {
      Path parent = Files.createDirectories(root.resolve("bridge/bench/target/faults"));
      return Files.createTempDirectory(parent, name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Archives the classes of the bridge, because the runs start it hundreds of times. If that fails,
   * the runs continue without the archive.
   */
  private void archiveClasses() {
    try {
      ClassArchive.of(jar()).make(root.resolve("bridge/service/config.yml"));
    } catch (StackException e) {
      line("bridges start more slowly, without an archive of their classes: " + e.getMessage());
    }
  }

  private Path jar() {
    return root.resolve("bridge/service/target/delay-bridge/delay-bridge.jar");
  }

  private int recheck(Options options, Path dir) {
    String name = String.valueOf(dir.getFileName());
    Results results = new Results(options.results());
    for (Outcome before : results.read()) {
      if (Files.isDirectory(dir)
          && name.startsWith(before.row() + "-" + before.guarantee().key() + "-")) {
        Outcome after = Recheck.of(before, Rows.named(before.row()).orElseThrow(), dir);
        line(after.summary());
        after.findings().forEach(each -> line("  " + each));
        results.write(after);
        return after.kept() ? 0 : BROKEN;
      }
    }
    out.println("--recheck is '%s', allowed: the directory of a run with a result".formatted(dir));
    return USAGE;
  }

  private void show(Row<?> row) {
    out.printf(
        "%-20s %-60s %,9d messages, %3d injections%n",
        row.name(), row.title(), row.shape().messages(), row.shape().injections());
  }

  private void report(Options options) {
    List<Outcome> outcomes = new Results(options.results()).read();
    List<Outcome> singles = new Results(options.singles()).read();
    Path file = root.resolve("docs/reliability.md");
    Report.write(outcomes, singles, file);
    line("%d results are in %s".formatted(outcomes.size() + singles.size(), root.relativize(file)));
  }

  private void line(String text) {
    out.println(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " " + text);
    out.flush();
  }
}
