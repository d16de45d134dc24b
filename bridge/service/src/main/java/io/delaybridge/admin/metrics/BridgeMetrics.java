package io.delaybridge.admin.metrics;

import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.peers.ClockGuard;
import io.delaybridge.schemas.Reason;
import io.delaybridge.shard.LoopListener;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardStatus;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The metrics of the bridge, for Prometheus. Safe for use by all loops. */
public final class BridgeMetrics implements LoopListener {

  /** Targets beyond this many share one label value, so that producers cannot flood the scrape. */
  public static final int MAX_TARGETS = 200;

  private static final String PREFIX = "delay_bridge_";
  private static final long MEMORY_KNOWN_MS = Duration.ofSeconds(30).toMillis();
  private static final String OTHER = "(other)";
  private static final double[] LATENESS = {
    .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200
  };

  private record Memory(double share, long at) {}

  private final PrometheusRegistry registry;
  private final Counter ingested;
  private final Counter delivered;
  private final Counter deadLettered;
  private final Counter retried;
  private final Counter answered;
  private final Counter judged;
  private final Counter skipped;
  private final Counter refed;
  private final Counter gaveUp;
  private final Counter beganAnew;
  private final Histogram lateness;
  private final Histogram turn;
  private final InstantSource clock;
  private volatile @Nullable Memory memory;
  // Used for every message. Looking up a label costs more than counting.
  private final Map<ShardId, CounterDataPoint> deliveredOf = new ConcurrentHashMap<>();
  private final Map<String, DistributionDataPoint> latenessOf = new ConcurrentHashMap<>();

  /** Registers everything that is counted; {@link #observe} adds what is looked up. */
  public BridgeMetrics(PrometheusRegistry registry, InstantSource clock) {
    this.registry = registry;
    this.clock = clock;
    ingested =
        counter(
            "ingested",
            "Intake records read and stored, or delivered without being stored.",
            "topic",
            "partition");
    delivered = counter("delivered", "Messages that reached their target.", "topic", "partition");
    deadLettered =
        counter(
            "dead_lettered",
            "Messages that went to the dead-letter topic.",
            "topic",
            "partition",
            "reason");
    retried =
        counter(
            "retried", "Messages put back for a later attempt.", "topic", "partition", "reason");
    answered = counter("answered", "Asks that were answered.", "topic", "partition", "verdict");
    judged =
        counter(
            "judged",
            "Copies in the later topic whose lap ended.",
            "topic",
            "partition",
            "outcome");
    skipped =
        counter(
            "covered_skipped",
            "Messages in the store that the frontier had covered.",
            "topic",
            "partition");
    refed = counter("rebuilt", "Rebuilds of a shard from the intake.", "topic", "partition");
    gaveUp = counter("peers_given_up", "Bridges that gave no sign of life and were given up.");
    beganAnew = counter("loop_restarts", "Times that a loop failed or hung and restarted.", "loop");
    GaugeWithCallback.builder()
        .name(PREFIX + "redis_memory_ratio")
        .help("Share of Redis' maxmemory that is in use, 0 if it has none.")
        .unit(Unit.RATIO)
        .callback(this::memory)
        .register(registry);
    lateness =
        histogram(
            "lateness_seconds", "Time from the due time to the committed delivery.", "target");
    turn = histogram("turn_seconds", "Time a turn worked, without its wait for records.", "loop");
  }

  private Histogram histogram(String name, String help, String label) {
    return Histogram.builder()
        .name(PREFIX + name)
        .help(help)
        .unit(Unit.SECONDS)
        .classicUpperBounds(LATENESS)
        .withoutExemplars()
        .labelNames(label)
        .register(registry);
  }

  private Counter counter(String name, String help, String... labels) {
    // Nobody traces here, and exemplars have a thread that looks for traces.
    return Counter.builder()
        .name(PREFIX + name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .register(registry);
  }

  /** Adds the gauges that are read from the loops at each scrape. */
  public void observe(Supplier<List<LoopStatus>> loops) {
    observeLoops(loops);
    gauge(
        "shard_rebuilding",
        "1 while the shard is fed again from the intake and nothing of it is delivered, else 0.",
        callback -> shards(loops, shard -> call(callback, shard, shard.rebuilding() ? 1 : 0)));
    gauge(
        "shard_intake_paused",
        "1 while nothing new is read of the shard, because Redis or its checkpoint is nearly full.",
        callback ->
            shards(
                loops,
                shard -> call(callback, shard, shard.state() == ShardStatus.State.PAUSED ? 1 : 0)));
    gauge(
        "pending",
        "Messages that wait, far ones included.",
        callback ->
            shards(
                loops,
                shard ->
                    call(callback, shard, (double) (shard.pending() + shard.later().copies()))));
    gauge(
        "overdue",
        "Messages that are due and not yet delivered.",
        callback -> shards(loops, shard -> call(callback, shard, (double) shard.overdue())));
    gauge(
        "oldest_overdue_seconds",
        "How long the first overdue message waits, 0 if none does.",
        callback ->
            shards(loops, shard -> call(callback, shard, oldestOverdue(shard, clock.millis()))));
    gauge(
        "far",
        "Messages in the later topic, cancelled ones included until their lap ends.",
        callback -> shards(loops, shard -> call(callback, shard, (double) shard.later().copies())));
    gauge(
        "lap_behind_seconds",
        "How long ago the lap of the first copy in the later topic ended, 0 if none has.",
        callback ->
            shards(loops, shard -> call(callback, shard, lapBehind(shard, clock.millis()))));
    gauge(
        "stored_offset",
        "Intake offset up to which everything is stored.",
        callback -> shards(loops, shard -> call(callback, shard, (double) shard.next())));
    gauge(
        "shard_paused",
        "1 if an operator has stopped delivery of the shard, else 0.",
        callback -> shards(loops, shard -> call(callback, shard, shard.paused() ? 1 : 0)));
    gauge(
        "shard_open",
        "1 if the shard is delivered from, 0 if it is closed or stopped.",
        callback -> shards(loops, shard -> call(callback, shard, shard.isOpen() ? 1 : 0)));
  }

  private static double oldestOverdue(ShardStatus shard, long now) {
    return shard.pending() == 0 ? 0 : Math.max(0, now - shard.nextDue()) / 1e3;
  }

  private static double lapBehind(ShardStatus shard, long now) {
    return Math.max(0, now - shard.later().lapEnds()) / 1e3;
  }

  /** Adds the differences to other clocks. */
  public void observeClock(Supplier<ClockGuard.Status> clock) {
    GaugeWithCallback.builder()
        .name(PREFIX + "clock_ahead_seconds")
        .help("By how much the clock of this machine is ahead of another one; negative if behind.")
        .unit(Unit.SECONDS)
        .labelNames("of")
        .callback(
            callback ->
                clock
                    .get()
                    .ahead()
                    .forEach(
                        (other, millis) ->
                            callback.call(millis / 1000.0, other.name().toLowerCase(Locale.ROOT))))
        .register(registry);
  }

  private void observeLoops(Supplier<List<LoopStatus>> loops) {
    // Present from the start, so that the first restart is an increase.
    loops.get().forEach(loop -> beganAnew.initLabelValues(loop.loop()));
    GaugeWithCallback.builder()
        .name(PREFIX + "loop_running")
        .help("1 if the loop turns, 0 if it joins the group, hangs or has failed.")
        .labelNames("loop")
        .callback(
            callback ->
                loops
                    .get()
                    .forEach(
                        loop ->
                            callback.call(
                                loop.state() == LoopStatus.State.RUNNING ? 1 : 0, loop.loop())))
        .register(registry);
  }

  private void gauge(String name, String help, Consumer<GaugeWithCallback.Callback> read) {
    GaugeWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .labelNames("topic", "partition")
        .callback(read)
        .register(registry);
  }

  private static void shards(Supplier<List<LoopStatus>> loops, Consumer<ShardStatus> each) {
    LoopStatus.shards(loops.get()).forEach(each);
  }

  private static void call(GaugeWithCallback.Callback callback, ShardStatus shard, double value) {
    callback.call(value, shard.shard().topic(), Integer.toString(shard.shard().partition()));
  }

  @Override
  public void memory(double share) {
    memory = new Memory(share, clock.millis());
  }

  /**
   * A process without shards does not ask, so it would otherwise report the last known value for
   * ever.
   */
  private void memory(GaugeWithCallback.Callback callback) {
    Memory known = memory;
    if (known != null && clock.millis() - known.at <= MEMORY_KNOWN_MS) {
      callback.call(known.share);
    }
  }

  @Override
  public void ingested(ShardId shard, int records) {
    ingested.labelValues(shard.topic(), Integer.toString(shard.partition())).inc(records);
  }

  @Override
  public void delivered(ShardId shard, String target, long millis) {
    deliveredOf
        .computeIfAbsent(
            shard, key -> delivered.labelValues(key.topic(), Integer.toString(key.partition())))
        .inc();
    latenessOf(target).observe(millis / 1e3);
  }

  private DistributionDataPoint latenessOf(String target) {
    DistributionDataPoint known = latenessOf.get(target);
    if (known != null) {
      return known;
    }
    return latenessOf.size() < MAX_TARGETS
        ? latenessOf.computeIfAbsent(target, lateness::labelValues)
        : lateness.labelValues(OTHER);
  }

  @Override
  public void deadLettered(ShardId shard, @Nullable String target, Reason reason) {
    deadLettered
        .labelValues(shard.topic(), Integer.toString(shard.partition()), reason.name())
        .inc();
  }

  @Override
  public void retried(ShardId shard, Reason reason) {
    retried.labelValues(shard.topic(), Integer.toString(shard.partition()), reason.name()).inc();
  }

  @Override
  public void judged(ShardId shard, int home, int again, int dropped) {
    judged(shard, "home", home);
    judged(shard, "again", again);
    judged(shard, "dropped", dropped);
  }

  private void judged(ShardId shard, String outcome, int copies) {
    judged.labelValues(shard.topic(), Integer.toString(shard.partition()), outcome).inc(copies);
  }

  @Override
  public void answered(ShardId shard, Verdict verdict) {
    answered.labelValues(shard.topic(), Integer.toString(shard.partition()), verdict.name()).inc();
  }

  @Override
  public void skipped(ShardId shard, int messages) {
    skipped.labelValues(shard.topic(), Integer.toString(shard.partition())).inc(messages);
  }

  @Override
  public void refed(ShardId shard) {
    refed.labelValues(shard.topic(), Integer.toString(shard.partition())).inc();
  }

  @Override
  public void beganAnew(String loop) {
    beganAnew.labelValues(loop).inc();
  }

  /** Counts another bridge of the group that this one gave up. */
  public void gaveUpPeer() {
    gaveUp.inc();
  }

  @Override
  public void turned(String loop, long nanos) {
    turn.labelValues(loop).observe(nanos / 1e9);
  }
}
