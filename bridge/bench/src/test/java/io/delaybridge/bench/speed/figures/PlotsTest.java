package io.delaybridge.bench.speed.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.bench.speed.figures.Plots.Axes;
import io.delaybridge.bench.speed.figures.Plots.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotsTest {

  @TempDir Path dir;

  @Test
  void aPictureOfCurvesIsSvgAndNamesThem() throws IOException {
    Plots.curves(
        dir,
        "scale",
        new Axes("Loops", "loops", "msg/s"),
        false,
        Map.of("drained", List.of(new Point(1, 10), new Point(2, 15))));
    assertThat(Files.readString(dir.resolve("scale.svg"))).contains("<svg", "drained", "loops");
  }

  @Test
  void aHistogramIsDrawnAlsoIfSomethingWasNotLateAtAll() throws IOException {
    Histogram late = new Histogram(1_000_000, 3);
    late.recordValue(0);
    late.recordValue(2_000);
    late.recordValue(90_000);
    Plots.histogram(dir, "lateness", "Lateness", Map.of("exactly once", late));
    assertThat(Files.readString(dir.resolve("lateness.svg"))).contains("<svg", "exactly once");
  }
}
