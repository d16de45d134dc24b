package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Report;
import io.delaybridge.bench.speed.lab.Processors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The command line of the benchmark. */
public final class Main {

  /** What can be measured. */
  private interface Experiment {
    void run(Setup setup) throws Exception;
  }

  private static final Map<String, Experiment> EXPERIMENTS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("throughput", setup -> new Throughput(setup).run()),
              Map.entry("lateness", setup -> new Late(setup).run()),
              Map.entry("backlog", setup -> new Backlog(setup).run()),
              Map.entry("herd", setup -> new Herd(setup).run()),
              Map.entry("restart", setup -> new Restart(setup).run()),
              Map.entry("scale", setup -> new Scale(setup).run()),
              Map.entry("soak", setup -> new Soak(setup).run()),
              Map.entry("profile", setup -> new Profile(setup).run()),
              Map.entry("others", setup -> new Others(setup).run()),
              Map.entry("jmh", setup -> new Micro(setup).run())));

  private Main() {}

  /** See {@link Options#HELP}. */
  public static void main(String[] args) throws Exception {
    List<String> words = List.of(args);
    if (words.isEmpty() || words.contains("--help") || words.contains("help")) {
      System.out.print(Options.HELP.formatted(String.join(", ", EXPERIMENTS.keySet())));
      return;
    }
    Options options;
    try {
      options = Options.parse(words, EXPERIMENTS.keySet());
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    run(options, words, Path.of(System.getProperty("root.dir", ".")).toAbsolutePath());
    // Nothing may be left that keeps the program alive.
    System.exit(0);
  }

  static void run(Options options, List<String> words, Path root) throws Exception {
    Path parent = Files.createDirectories(root.resolve("bridge/bench/target/speed"));
    Progress progress = new Progress(System.out::println);
    // Before the first page is written, which is a change itself.
    Map<String, String> circumstances = Machine.circumstances(words, root);
    for (String what : options.what()) {
      Path dir = Files.createTempDirectory(parent, what);
      progress.line("%s", what);
      Report report = new Report("Benchmark: " + what, circumstances);
      Path output = Files.createDirectories(root.resolve("docs/benchmarks"));
      Processors begun = Processors.now();
      try (Setup setup = new Setup(options, progress, root, dir, report, output)) {
        Objects.requireNonNull(EXPERIMENTS.get(what)).run(setup);
        // What was measured is not lost if something does not end well.
        report.circumstance(
            "stolen",
            "%.1f %% of the processor time went to other machines of the same host"
                .formatted(Processors.now().stolenSince(begun)));
        report.write(output, what);
      }
      System.out.println(report.table());
    }
  }
}
