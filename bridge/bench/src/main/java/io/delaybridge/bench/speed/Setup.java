package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Figure;
import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plot;
import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import io.delaybridge.bench.speed.figures.Report;
import io.delaybridge.bench.speed.figures.Spread;
import io.delaybridge.bench.speed.lab.Closing;
import io.delaybridge.bench.speed.lab.Guarantee;
import io.delaybridge.bench.speed.lab.Lab;
import io.delaybridge.bench.speed.lab.Lane;
import io.delaybridge.bench.speed.lab.Lanes;
import io.delaybridge.bench.speed.lab.Loader;
import io.delaybridge.bench.speed.lab.Station;
import io.delaybridge.bench.speed.lab.Steady;
import io.delaybridge.bench.speed.lab.Tail;
import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.TcpProxy;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The environment of every experiment: servers, a loader, the options, and the report. */
final class Setup implements AutoCloseable {

  private static final int LINGER_MS = 5;

  private final Options options;
  private final Progress progress;
  private final Path root;
  private final Path dir;
  private final Report report;
  private final Closing closing = new Closing();
  private @Nullable Lab lab;
  private @Nullable Loader loader;
  private @Nullable Loader prompt;
  private @Nullable Lanes lanes;

  /**
   * @param root the root of the checkout
   * @param dir the directory for the data and the logs of the servers
   */
  Setup(Options options, Progress progress, Path root, Path dir, Report report) {
    this.options = options;
    this.progress = progress;
    this.root = root;
    this.dir = dir;
    this.report = report;
  }

  Options options() {
    return options;
  }

  /** Prints a line of progress. */
  void line(String format, Object... values) {
    progress.line(format, values);
  }

  /** Returns broker and Redis, which start on the first call. */
  Lab lab() {
    Lab started = lab;
    return started == null ? start(broker -> broker) : started;
  }

  /** Starts both with a connection to the broker that can be cut; must be called first. */
  Lab labBehind(TcpProxy toKafka) {
    return start(broker -> broker.behind(toKafka));
  }

  private Lab start(UnaryOperator<LocalBroker> more) {
    progress.line("broker and Redis start in %s", dir);
    Lab started = closing.with(Lab.start(dir, options.redis(), more));
    lab = started;
    return started;
  }

  /** Adds a paragraph below the table of the page. */
  void note(String text) {
    report.note(text);
  }

  /** Adds a picture to the page. */
  void plot(String name, Axes axes, Map<String, List<Point>> curves) {
    report.plot(new Plot(name, axes, curves));
  }

  /** Adds a picture of the tail of the lateness. */
  void plotTails(String name, String title, Map<String, Histogram> late) {
    Map<String, List<Point>> curves = new LinkedHashMap<>();
    late.forEach((who, its) -> curves.put(who, Plot.tail(its)));
    plot(name, new Axes(title, "one message in so many is later", "ms late", true, true), curves);
  }

  Loader loader() {
    Loader open = loader;
    if (open == null) {
      open = loader(LINGER_MS);
      loader = open;
    }
    return open;
  }

  /** Returns a loader that sends each record at once, for messages that are due when sent. */
  Loader prompt() {
    Loader open = prompt;
    if (open == null) {
      open = loader(0);
      prompt = open;
    }
    return open;
  }

  private Loader loader(int lingerMs) {
    return closing.with(new Loader(lab().bootstrapServers(), options.partitions(), lingerMs));
  }

  /** Opens a tail of another topic. */
  Tail tail(String topic) {
    return closing.with(new Tail(lab().bootstrapServers(), topic, options.partitions()));
  }

  /** Starts a load on the topics of that name; the caller must close it. */
  Steady steady(String name, double rate) {
    return new Steady(
        loader(), tail(name + "-out"), name, options.partitions(), options.size(), rate);
  }

  Lanes lanes() {
    Lanes open = lanes;
    if (open == null) {
      open = closing.with(new Lanes(lab(), root, options.partitions(), options.bridgeJvm()));
      lanes = open;
    }
    return open;
  }

  /** Starts a pass-through. */
  Station passThrough(Guarantee guarantee) {
    return passThrough("pass-" + guarantee.key(), guarantee, 0);
  }

  /** Starts a pass-through that waits this many milliseconds for more after records arrive. */
  Station passThrough(String name, Guarantee guarantee, int waitMs) {
    return station(lanes().passThrough(name, guarantee, waitMs));
  }

  /** Starts a bridge with the loops of the options. */
  Station bridge(String name, Guarantee guarantee) {
    return bridge(name, guarantee, Map.of());
  }

  /** Starts a bridge. */
  Station bridge(String name, Guarantee guarantee, int loops, int processes) {
    return station(lanes().bridge(name, guarantee, loops, processes, Map.of()));
  }

  /** Starts a bridge with the loops of the options and these environment variables. */
  Station bridge(String name, Guarantee guarantee, Map<String, String> more) {
    return station(lanes().bridge(name, guarantee, options.loops(), 1, more));
  }

  private Station station(Lane lane) {
    return closing.with(
        new Station(lab(), lane, loader(), options.partitions(), options.messages()));
  }

  /** Adds a line without a goal to the table. */
  void add(String group, String name, String unit, Spread spread) {
    add(group, name, unit, spread, null);
  }

  /** Adds a line to the table. */
  void add(String group, String name, String unit, Spread spread, @Nullable Goal goal) {
    report.add(new Figure(group, name, unit, spread, goal));
  }

  @Override
  public void close() {
    closing.close();
  }
}
