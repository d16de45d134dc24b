package io.delaybridge.bench.speed.figures;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Pictures, as SVG. */
public final class Plots {

  private static final int WIDTH = 800;
  private static final int HEIGHT = 450;

  private Plots() {}

  /**
   * One point of a curve.
   *
   * @param x as on the axis below
   */
  public record Point(double x, double y) {}

  /**
   * Curves over a common axis.
   *
   * @param file name without its ending
   * @param logX whether the axis below is logarithmic
   */
  public static void curves(
      Path dir, String file, Axes axes, boolean logX, Map<String, List<Point>> curves) {
    XYChart chart = chart(axes);
    chart.getStyler().setXAxisLogarithmic(logX);
    curves.forEach(
        (name, points) ->
            chart.addSeries(
                name,
                points.stream().mapToDouble(Point::x).toArray(),
                points.stream().mapToDouble(Point::y).toArray()));
    save(chart, dir, file);
  }

  /**
   * The share of messages, in percent, that were late by at most so much.
   *
   * @param histograms of microseconds
   */
  public static void histogram(
      Path dir, String file, String title, Map<String, Histogram> histograms) {
    XYChart chart = chart(new Axes(title, "ms late, at most", "% of messages"));
    chart.getStyler().setXAxisLogarithmic(true);
    histograms.forEach(
        (name, histogram) -> {
          List<Point> points = new ArrayList<>();
          for (HistogramIterationValue value : histogram.percentiles(5)) {
            points.add(
                new Point(
                    Math.max(0.1, value.getValueIteratedTo() / 1e3),
                    value.getPercentileLevelIteratedTo()));
          }
          chart
              .addSeries(
                  name,
                  points.stream().mapToDouble(Point::x).toArray(),
                  points.stream().mapToDouble(Point::y).toArray())
              .setMarker(SeriesMarkers.NONE);
        });
    save(chart, dir, file);
  }

  /** What a picture says. */
  public record Axes(String title, String x, String y) {}

  private static XYChart chart(Axes axes) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(axes.title())
            .xAxisTitle(axes.x())
            .yAxisTitle(axes.y())
            .build();
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }

  private static void save(XYChart chart, Path dir, String file) {
    try {
      VectorGraphicsEncoder.saveVectorGraphic(
          chart, dir.resolve(file).toString(), VectorGraphicsFormat.SVG);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
