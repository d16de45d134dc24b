package io.delaybridge.admin.history;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Ticker;
import io.delaybridge.admin.desk.Desk;
import io.delaybridge.admin.desk.Waiting;
import io.delaybridge.admin.history.Instances.Report;
import io.delaybridge.store.PendingView.Summary;
import io.dropwizard.lifecycle.Managed;
import jakarta.ws.rs.WebApplicationException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last hour of all instances in steps of ten seconds, as far as this one has lived, for those
 * who look at the dashboard after something has happened. Kept in memory; Prometheus has the rest.
 */
public final class History implements Managed {

  private static final Logger LOG = LoggerFactory.getLogger(History.class);
  static final long STEP_MILLIS = 10_000;
  private static final int MOST = 360;

  /**
   * One step. Lateness is in milliseconds, null if nothing was delivered.
   *
   * @param at epoch milliseconds of its end
   * @param in records taken in
   * @param out messages delivered
   * @param dead messages dead-lettered
   */
  public record Point(
      long at,
      long in,
      long out,
      long dead,
      @Nullable Long p50,
      @Nullable Long p99,
      @Nullable Long max,
      long pending,
      long overdue) {}

  /** Oldest first. */
  public record Hour(long stepMillis, List<Point> points) {}

  private final Instances instances;
  private final Desk desk;
  private final Waiting waiting;
  private final InstantSource clock;
  private final Deque<Point> points = new ArrayDeque<>();
  private Map<String, Report> before = new HashMap<>();
  private final Ticker ticker;

  /** Takes what counts and what looks. */
  public History(Instances instances, Desk desk, Waiting waiting, InstantSource clock) {
    this.instances = instances;
    this.desk = desk;
    this.waiting = waiting;
    this.clock = clock;
    this.ticker = new Ticker("delay-history", Duration.ofMillis(STEP_MILLIS), this::step);
  }

  @Override
  public void start() {
    ticker.start();
  }

  @Override
  public void stop() {
    ticker.stop();
  }

  /** Returns the existing points of the last hour. */
  public synchronized Hour hour() {
    return new Hour(STEP_MILLIS, new ArrayList<>(points));
  }

  private void step() {
    try {
      add(instances.reports(), waiting.summaries(desk.shards(Caller.ANYONE)));
    } catch (WebApplicationException e) {
      LOG.debug("A point of the history is left out: {}", e.getMessage());
    }
  }

  /** Adds a point: what each instance has done since its last report. */
  synchronized void add(List<Report> reports, List<Summary> summaries) {
    List<Report> known = new ArrayList<>();
    Map<String, Report> now = new HashMap<>();
    for (Report report : reports) {
      Report last = before.get(report.id());
      if (last != null) {
        known.add(last);
      } else if (!before.isEmpty() && report.startedAt() < clock.millis() - 2 * STEP_MILLIS) {
        // Seen for the first time, but not new: what it did before is not of this step.
        known.add(report);
      }
      now.put(report.id(), report);
    }
    boolean first = before.isEmpty();
    before = now;
    if (first) {
      return;
    }
    Totals after = Totals.of(reports, intake -> true);
    Totals since = Totals.of(known, intake -> true);
    Histogram lateness = after.lateness();
    lateness.subtract(since.lateness());
    boolean none = lateness.getTotalCount() == 0;
    points.addLast(
        new Point(
            clock.millis(),
            after.ingested() - since.ingested(),
            lateness.getTotalCount(),
            after.deadLettered() - since.deadLettered(),
            none ? null : lateness.getValueAtPercentile(50),
            none ? null : lateness.getValueAtPercentile(99),
            none ? null : lateness.getMaxValue(),
            summaries.stream().mapToLong(Summary::pending).sum(),
            summaries.stream().mapToLong(Summary::overdue).sum()));
    while (points.size() > MOST) {
      points.removeFirst();
    }
  }
}
