package io.delaybridge.bench.speed.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotTest {

  private static final List<Point> POINTS = List.of(new Point(1, 10), new Point(2, 15));

  @TempDir Path dir;

  @Test
  void aCurveMoreIsALineMore() throws IOException {
    Axes axes = Axes.linear("Loops", "loops", "msg/s");
    new Plot("one", axes, Map.of("drain", POINTS)).save(dir);
    new Plot("two", axes, Map.of("drain", POINTS, "store", POINTS)).save(dir);
    assertThat(colours("two.png")).isGreaterThan(colours("one.png"));
  }

  @Test
  void aTailIsReadAtTheShareOfMessagesThatAreLater() {
    Histogram late = new Histogram(1_000_000, 3);
    for (int i = 1; i <= 1_000; i++) {
      late.recordValue(i <= 990 ? 2_000 : 90_000);
    }
    List<Point> tail = Plot.tail(late);
    assertThat(tail.get(0).x()).isEqualTo(1);
    assertThat(tail).allSatisfy(point -> assertThat(point.x()).isFinite());
    assertThat(tail.stream().filter(point -> point.x() < 100))
        .allSatisfy(point -> assertThat(point.y()).isBetween(1.99, 2.01));
    assertThat(tail.stream().filter(point -> point.x() > 101))
        .isNotEmpty()
        .allSatisfy(point -> assertThat(point.y()).isBetween(89.9, 90.1));
  }

  @Test
  void aTailIsDrawnOnLogarithmicAxesAlsoIfSomethingWasNotLateAtAll() throws IOException {
    Histogram late = new Histogram(1_000_000, 3);
    late.recordValue(0);
    for (int i = 0; i < 5_000; i++) {
      late.recordValue(2_000 + 10L * i);
    }
    Axes axes = new Axes("Lateness", "one message in so many is later", "ms late", true, true);
    new Plot("lateness", axes, Map.of("500/s, exactly once", Plot.tail(late))).save(dir);
    assertThat(colours("lateness.png")).isPositive();
    assertThat(Plot.tail(late)).allSatisfy(point -> assertThat(point.y()).isPositive());
  }

  /** Returns how many colours a picture has: each curve brings its own. */
  private long colours(String file) throws IOException {
    BufferedImage picture = ImageIO.read(dir.resolve(file).toFile());
    int width = picture.getWidth();
    int height = picture.getHeight();
    return Arrays.stream(picture.getRGB(0, 0, width, height, null, 0, width)).distinct().count();
  }
}
