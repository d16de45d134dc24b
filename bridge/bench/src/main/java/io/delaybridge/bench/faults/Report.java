package io.delaybridge.bench.faults;

import io.delaybridge.stack.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The page docs/reliability.md: a written text around tables that are made from the results. */
final class Report {

  private static final String TEMPLATE = "reliability.md.template";
  private static final String TABLE = "@table@\n";
  private static final String SINGLES = "@singles@\n";
  private static final String RUNS = "@runs@\n";

  private Report() {}

  /**
   * Writes the page.
   *
   * @param singles results of runs with one fault each
   */
  static void write(List<Outcome> outcomes, List<Outcome> singles, Path file) {
    List<Outcome> sorted = inOrder(outcomes);
    String text =
        template()
            .replace(TABLE, table(sorted))
            .replace(SINGLES, singles(inOrder(singles)))
            .replace(RUNS, runs(sorted));
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Outcome> inOrder(List<Outcome> outcomes) {
    List<Outcome> sorted = new ArrayList<>();
    for (Row<?> row : Rows.all()) {
      outcomes.stream().filter(each -> each.row().equals(row.name())).forEach(sorted::add);
    }
    return sorted;
  }

  private static String table(List<Outcome> outcomes) {
    StringBuilder table = new StringBuilder();
    table.append(
        "| fault | guarantee | messages | injections | lost | duplicated | early | longest stall |\n");
    table.append("|---|---|---:|---:|---:|---:|---:|---:|\n");
    outcomes.forEach(each -> table.append(row(each)));
    return table.toString();
  }

  private static String singles(List<Outcome> outcomes) {
    StringBuilder table = new StringBuilder();
    table.append(
        "| fault | guarantee | longest stall | lost | duplicated | seed | date | commit |\n");
    table.append("|---|---|---:|---:|---:|---:|---|---|\n");
    for (Outcome each : outcomes) {
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %.1f s | %d | %s | %d | %s | %s |%n",
              each.fault(),
              each.guarantee().key().replace('_', ' '),
              each.longestStallMs() / 1000.0,
              each.count(Violation.LOST),
              duplicates(each),
              each.seed(),
              each.provenance().date(),
              each.provenance().commit()));
    }
    return table.toString();
  }

  private static String duplicates(Outcome outcome) {
    long duplicated = outcome.count(Violation.DUPLICATED);
    return outcome.repeatsAllowed() == 0
        ? Long.toString(duplicated)
        : "%d of %d allowed".formatted(duplicated, outcome.repeatsAllowed());
  }

  private static String row(Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,d | %,d%s | %d | %s | %d | %.1f s |%s%n",
        outcome.fault(),
        outcome.guarantee().key().replace('_', ' '),
        outcome.messages(),
        outcome.injections(),
        kinds(outcome.kinds()),
        outcome.count(Violation.LOST),
        duplicates(outcome),
        outcome.count(Violation.EARLY),
        outcome.longestStallMs() / 1000.0,
        outcome.kept() ? "" : " **BROKEN**");
  }

  private static String kinds(Map<String, Integer> kinds) {
    return kinds.isEmpty() || kinds.size() > 4
        ? ""
        : kinds.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", ", " (", ")"));
  }

  /** Returns the origin of the figures: one line per run. */
  private static String runs(List<Outcome> outcomes) {
    Map<String, List<Outcome>> machines = new LinkedHashMap<>();
    outcomes.forEach(
        each ->
            machines
                .computeIfAbsent(each.provenance().machine(), name -> new ArrayList<>())
                .add(each));
    StringBuilder text = new StringBuilder();
    machines.forEach(
        (machine, runs) -> {
          text.append("On ").append(machine).append(":\n\n");
          text.append("| run | seed | date | commit | took | checkpoints compared |\n");
          text.append("|---|---:|---|---|---:|---:|\n");
          runs.forEach(each -> text.append(run(each)));
        });
    return text.toString();
  }

  private static String run(Outcome each) {
    return "| `%s` %s | %d | %s | %s | %d s | %d |%n"
        .formatted(
            each.row(),
            each.guarantee().key().replace('_', ' '),
            each.seed(),
            each.provenance().date(),
            each.provenance().commit(),
            each.seconds(),
            each.frontierLooks());
  }

  private static String template() {
    byte[] template = Resources.read(Report.class, TEMPLATE, "the build has left it out.");
    return new String(template, StandardCharsets.UTF_8);
  }
}
