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
   * Runs the experiments; see {@link CommandLine#help}. With the system property {@code check.only}
   * it only reports errors in the arguments and ends the virtual machine, which is then that of
   * Maven itself: if a program that Maven has started fails, Maven prints a long trace.
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
    // No remaining thread may keep the program alive.
    System.exit(0);
  }

  private static void run(Map<Experiment, Options> what, List<String> words, Path root)
      throws Exception {
    Runs runs = new Runs(root.resolve("bridge/bench/target/speed"));
    runs.sweep();
    Progress progress = new Progress(System.out::println);
    // Taken before the first page is written, because a page changes the checkout.
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
        // Written before the setup is closed, so that a failure there does not lose the results.
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
