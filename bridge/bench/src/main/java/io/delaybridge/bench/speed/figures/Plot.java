package io.delaybridge.bench.speed.figures;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A picture: curves over a common axis.
 *
 * @param name of the file, without its extension
 * @param curves by name, in this order
 */
public record Plot(String name, Axes axes, Map<String, List<Point>> curves) {

  private static final int WIDTH = 800;
  private static final int HEIGHT = 450;

  /** Twice as many as a page shows, so that a picture is sharp. */
  private static final int DOTS_PER_INCH = 144;

  private static final int WITH_MARKERS = 20;
  private static final double LEAST_MS = 0.1;

  /** Copies the curves. */
  public Plot {
    curves = Collections.unmodifiableMap(new LinkedHashMap<>(curves));
  }

  /**
   * One point of a curve.
   *
   * @param x the value on the horizontal axis
   */
  public record Point(double x, double y) {}

  /**
   * The title and the axes of a picture.
   *
   * @param logX whether the horizontal axis is logarithmic
   * @param logY whether the vertical axis is logarithmic
   */
  public record Axes(String title, String x, String y, boolean logX, boolean logY) {

    /** Returns axes that are both linear. */
    public static Axes linear(String title, String x, String y) {
      return new Axes(title, x, y, false, false);
    }
  }

  /**
   * Returns the lateness in milliseconds (y) that one message in x exceeds: the 99th percentile is
   * at 100, the 99.9th at 1000. The lateness is at least 0.1 ms, for a logarithmic axis.
   *
   * @param late in microseconds
   */
  public static List<Point> tail(Histogram late) {
    List<Point> points = new ArrayList<>();
    for (HistogramIterationValue value : late.percentiles(5)) {
      double beyond = 100 - value.getPercentileLevelIteratedTo();
      if (beyond > 0) {
        points.add(new Point(100 / beyond, Math.max(LEAST_MS, value.getValueIteratedTo() / 1e3)));
      }
    }
    return points;
  }

  /** Returns the name of the file. */
  public String file() {
    return name + ".png";
  }

  void save(Path dir) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(axes.title())
            .xAxisTitle(axes.x())
            .yAxisTitle(axes.y())
            .build();
    chart.getStyler().setXAxisLogarithmic(axes.logX());
    chart.getStyler().setYAxisLogarithmic(axes.logY());
    chart.getStyler().setDecimalPattern("#,##0.##");
    if (!axes.logY()) {
      chart.getStyler().setYAxisMin(0.0);
    }
    curves.forEach((curve, points) -> add(chart, curve, points));
    try {
      BitmapEncoder.saveBitmapWithDPI(
          chart, dir.resolve(name).toString(), BitmapFormat.PNG, DOTS_PER_INCH);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(XYChart chart, String curve, List<Point> points) {
    XYSeries series =
        chart.addSeries(
            curve,
            points.stream().mapToDouble(Point::x).toArray(),
            points.stream().mapToDouble(Point::y).toArray());
    if (points.size() > WITH_MARKERS) {
      series.setMarker(SeriesMarkers.NONE);
    }
  }
}
