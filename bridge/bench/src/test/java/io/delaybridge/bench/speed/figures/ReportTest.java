package io.delaybridge.bench.speed.figures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  private final Report report = new Report("Drain", Map.of("machine", "two cores"));

  @Test
  void aCellShowsMedianSpreadAndGoal() {
    report.add(new Figure("100 B", "drain", "", Spread.of(0.5812, 0.7, 0.61), Goal.atLeast(0.6)));
    assertThat(report.table()).contains("| 100 B | 0.61 (0.581..0.7), ≥ 0.6 |");
  }

  @Test
  void aGoalThatIsMissedIsShownAsMissed() {
    report.add(new Figure("idle", "CPU", "%", Spread.of(0.6), Goal.atMost(0.5)));
    assertThat(report.table()).contains("| **0.6**, ≤ 0.5 |");
  }

  @Test
  void theMedianAndNotTheBestMeetsAGoal() {
    assertThat(Goal.atLeast(10).isMetBy(Spread.of(9, 9, 100))).isFalse();
    assertThat(Goal.atMost(10).isMetBy(Spread.of(11, 11, 1))).isFalse();
  }

  @Test
  void aFigureWithoutGoalHasItsUnitInTheHeading() {
    report.add(new Figure("100 B", "pass-through", "msg/s", Spread.of(253_412), null));
    assertThat(report.table())
        .contains("| | pass-through, msg/s |\n")
        .contains("| 100 B | 253,000 |\n");
  }

  @Test
  void thePageSaysOnWhatMachineItWasMeasured() {
    assertThat(report.markdown()).startsWith("# Drain\n\n- machine: two cores\n");
  }

  @Test
  void theLongerListGoesDownwards() {
    report
        .add(new Figure("100 B", "drain", "", Spread.of(1, 2, 3, 4), null))
        .add(new Figure("100 B", "store", "", Spread.of(7), null))
        .add(new Figure("1 KB", "store", "", Spread.of(8), null))
        .add(new Figure("10 KB", "store", "", Spread.of(9), null));
    assertThat(report.table())
        .isEqualTo(
            """
            | | drain | store |
            |---|--:|--:|
            | 100 B | 2.5 (1..4) | 7 |
            | 1 KB |  | 8 |
            | 10 KB |  | 9 |
            """);
  }

  @Test
  void notesAndPicturesAreOnThePageAndInTheJson(@TempDir Path dir) throws IOException {
    Axes axes = new Axes("Rates", "loops", "msg/s", true, false);
    report
        .note("One of them is to be met.")
        .plot(new Plot("rates", axes, Map.of("drain", List.of(new Point(1, 10), new Point(2, 15)))))
        .add(new Figure("100 B", "drain", "", Spread.of(1), null));
    report.write(dir, "drain");
    assertThat(report.markdown()).contains("One of them is to be met.", "![Rates](rates.png)");
    assertThat(dir.resolve("rates.png")).isNotEmptyFile();
    JsonNode json = new ObjectMapper().readTree(dir.resolve("drain.json").toFile());
    assertThat(json.at("/notes/0").asText()).isEqualTo("One of them is to be met.");
    JsonNode plot = json.at("/plots/0");
    assertThat(plot.at("/axes/x").asText()).isEqualTo("loops");
    assertThat(plot.at("/curves/drain/1/y").asDouble()).isEqualTo(15);
  }

  @Test
  void theJsonHasEveryValue(@TempDir Path dir) throws IOException {
    report.add(new Figure("100 B", "drain", "msg/s", Spread.of(1, 2), Goal.atLeast(3)));
    report.write(dir, "drain");
    JsonNode figure =
        new ObjectMapper().readTree(dir.resolve("drain.json").toFile()).at("/figures/0");
    assertThat(figure.get("values")).hasSize(2);
    assertThat(figure.get("median").asDouble()).isEqualTo(1.5);
    assertThat(figure.get("met").asBoolean()).isFalse();
    assertThat(Files.readString(dir.resolve("drain.md"))).isEqualTo(report.markdown());
  }
}
