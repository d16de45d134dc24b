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
  void aCurveMoreIsALineMore() throws IOException {
    Axes axes = new Axes("Loops", "loops", "msg/s");
    List<Point> points = List.of(new Point(1, 10), new Point(2, 15));
    Plots.curves(dir, "one", axes, false, Map.of("drain", points));
    Plots.curves(dir, "two", axes, false, Map.of("drain", points, "store", points));
    assertThat(lines("two.svg")).isGreaterThan(lines("one.svg"));
  }

  @Test
  void aHistogramIsDrawnAlsoIfSomethingWasNotLateAtAll() throws IOException {
    Histogram late = new Histogram(1_000_000, 3);
    late.recordValue(0);
    late.recordValue(2_000);
    late.recordValue(90_000);
    Plots.histogram(dir, "lateness", "Lateness", Map.of("exactly once", late));
    assertThat(lines("lateness.svg")).isPositive();
  }

  private int lines(String file) throws IOException {
    String svg = Files.readString(dir.resolve(file));
    assertThat(svg).contains("<svg");
    return svg.split("<path", -1).length - 1;
  }
}
