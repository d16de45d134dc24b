package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Report;
import io.delaybridge.bench.speed.lab.Processors;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command line of the benchmark. */
public final class Main {

  private Main() {}

  /**
   * See {@link CommandLine#help}. With the system property {@code check.only} it only says what is
   * wrong with the words and ends the virtual machine, which is Maven's own then: a program that
   * Maven has started and that fails is told of with a long trace.
   */
  public static void main(String[] args) throws Exception {
    List<String> words = List.of(args);
    boolean check = Boolean.getBoolean("check.only");
    if (words.isEmpty() || words.contains("--help") || words.contains("help")) {
      System.out.print(check ? "" : CommandLine.help());
      return;
    }
    Map<Experiment, Options> what;
    try {
      what = CommandLine.parse(words);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    if (check) {
      return;
    }
    run(what, words, Path.of(System.getProperty("root.dir", ".")).toAbsolutePath());
    // Nothing may be left that keeps the program alive.
    System.exit(0);
  }

  private static void run(Map<Experiment, Options> what, List<String> words, Path root)
      throws Exception {
    Runs runs = new Runs(root.resolve("bridge/bench/target/speed"));
    runs.sweep();
    Progress progress = new Progress(System.out::println);
    // Before the first page is written, which is a change itself.
    Map<String, String> circumstances = Machine.circumstances(words, root);
    for (Map.Entry<Experiment, Options> each : what.entrySet()) {
      Experiment experiment = each.getKey();
      Options options = each.getValue();
      Path dir = runs.begin(experiment.name());
      progress.line("%s %s", experiment.name(), options.words());
      Report report =
          new Report("Benchmark: " + experiment.name(), circumstances)
              .circumstance("values", "`" + options.words() + "`");
      Processors begun = Processors.now();
      try (Setup setup = new Setup(options, progress, root, dir, report)) {
        experiment.body().run(setup);
        // What was measured is not lost if something does not end well.
        report.circumstance(
            "stolen",
            "%.1f %% of the processor time went to other machines of the same host"
                .formatted(Processors.now().stolenSince(begun)));
        Path pages = dir.resolve("pages");
        report.write(pages, experiment.name());
        Pages.publish(pages, root.resolve("docs/benchmarks"), experiment.name());
      }
      System.out.println(report.table());
    }
  }
}
