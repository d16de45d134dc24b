package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Figure;
import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Report;
import io.delaybridge.bench.speed.figures.Spread;
import io.delaybridge.bench.speed.lab.Guarantee;
import io.delaybridge.bench.speed.lab.Lab;
import io.delaybridge.bench.speed.lab.Lane;
import io.delaybridge.bench.speed.lab.Lanes;
import io.delaybridge.bench.speed.lab.Loader;
import io.delaybridge.bench.speed.lab.Station;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What every experiment works with: servers, a loader, the options, and where findings go. */
final class Setup implements AutoCloseable {

  private static final int LINGER_MS = 5;

  private final Options options;
  private final Progress progress;
  private final Path root;
  private final Path dir;
  private final Report report;
  private final Path output;
  private final List<Station> stations = new ArrayList<>();
  private @Nullable Lab lab;
  private @Nullable Loader loader;
  private @Nullable Loader prompt;
  private @Nullable Lanes lanes;

  /**
   * @param root of the checkout
   * @param dir for the data and the logs of the servers
   * @param output where the page and its pictures will be
   */
  Setup(Options options, Progress progress, Path root, Path dir, Report report, Path output) {
    this.options = options;
    this.progress = progress;
    this.root = root;
    this.dir = dir;
    this.report = report;
    this.output = output;
  }

  Options options() {
    return options;
  }

  Progress progress() {
    return progress;
  }

  /** Broker and Redis; they start when they are first asked for. */
  Lab lab() {
    Lab started = lab;
    if (started == null) {
      progress.line("broker and Redis start in %s", dir);
      started = Lab.start(dir);
      lab = started;
    }
    return started;
  }

  Report report() {
    return report;
  }

  Path output() {
    return output;
  }

  Loader loader() {
    Loader open = loader;
    if (open == null) {
      open = new Loader(lab().bootstrapServers(), options.partitions(), LINGER_MS);
      loader = open;
    }
    return open;
  }

  /** One that sends each record at once: for what is due when it is sent. */
  Loader prompt() {
    Loader open = prompt;
    if (open == null) {
      open = new Loader(lab().bootstrapServers(), options.partitions(), 0);
      prompt = open;
    }
    return open;
  }

  private Lanes lanes() {
    Lanes open = lanes;
    if (open == null) {
      open = new Lanes(lab(), root, options.partitions(), options.bridgeJvm());
      lanes = open;
    }
    return open;
  }

  /** The guarantee of experiments that have only one: the first that was asked for. */
  Guarantee guarantee() {
    return options.guarantees().get(0);
  }

  /** Starts a pass-through. */
  Station passThrough(Guarantee guarantee) {
    return station(lanes().passThrough(guarantee));
  }

  /** Starts a bridge with the loops of the options. */
  Station bridge(String name, Guarantee guarantee) {
    return bridge(name, guarantee, options.loops(), 1);
  }

  /** Starts a bridge. */
  Station bridge(String name, Guarantee guarantee, int loops, int processes) {
    return station(lanes().bridge(name, guarantee, loops, processes));
  }

  private Station station(Lane lane) {
    Station station = new Station(lab(), lane, loader(), options.partitions(), options.messages());
    stations.add(station);
    return station;
  }

  /** One more line of the report. */
  void add(String group, String name, String unit, List<Double> values, @Nullable Goal goal) {
    report.add(new Figure(group, name, unit, new Spread(values), goal));
  }

  @Override
  public void close() {
    stations.forEach(Station::close);
    if (loader != null) {
      loader.close();
    }
    if (prompt != null) {
      prompt.close();
    }
    if (lanes != null) {
      lanes.close();
    }
    if (lab != null) {
      lab.close();
    }
  }
}
