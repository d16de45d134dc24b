package io.delaybridge.bench.speed.lab;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.header.Header;

/** A lane with access to both of its ends, for measuring its rates. */
public final class Station implements AutoCloseable {

  /** The delay of far messages, in milliseconds. */
  public static final long FAR_MS = Duration.ofDays(300).toMillis();

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration FAR_LIMIT = Duration.ofMinutes(20);
  private static final int SLOWEST = 25_000;

  private final Lane lane;
  private final Tail tail;
  private final ShardGauge gauge;
  private final Loader loader;
  private final int messages;
  private long leadMs;

  /**
   * @param messages number of messages in one filling
   */
  public Station(Lab lab, Lane lane, Loader loader, int partitions, int messages) {
    this.lane = lane;
    this.tail = new Tail(lab.bootstrapServers(), lane.target(), partitions);
    this.gauge = new ShardGauge(lab.redis().uri(), lane.name(), lane.intake(), partitions);
    this.loader = loader;
    this.messages = messages;
    this.leadMs = 3_000 + 1_000L * messages / SLOWEST / 2;
  }

  /** Returns the lane. */
  public Lane lane() {
    return lane;
  }

  /** Returns the tail of the target. */
  public Tail tail() {
    return tail;
  }

  /** Returns the gauge of Redis. */
  public ShardGauge gauge() {
    return gauge;
  }

  /** Returns the loader of the intake. */
  public Loader loader() {
    return loader;
  }

  /**
   * Fills the intake with overdue messages while the process is frozen, resumes it, and waits until
   * all are on the target. Returns messages a second between the first and the last append by the
   * broker.
   */
  public double through(int size) {
    tail.toEnd();
    Checklist all = frozen(size, System.currentTimeMillis() - 1_000);
    lane.resume();
    double rate = tail.await(all, LIMIT).rate();
    gauge.awaitEmpty(LIMIT);
    return rate;
  }

  /**
   * Fills the intake with messages due at one instant, late enough for all to be stored before. The
   * store rate is the growth of the stored offsets in Redis, in messages a second. The drain rate
   * is that of {@link #through}. If the instant comes too soon, everything is repeated with a later
   * one; also if all are stored between two looks, which says nothing about the rate.
   */
  public Stored storeAndDrain(int size) {
    while (true) {
      tail.toEnd();
      long stored = gauge.stored();
      long due = System.currentTimeMillis() + leadMs;
      Checklist all = frozen(size, due);
      lane.resume();
      Span store = gauge.awaitStored(stored + messages, LIMIT);
      boolean inTime = System.currentTimeMillis() < due - 500;
      Span drain = tail.await(all, LIMIT);
      gauge.awaitEmpty(LIMIT);
      if (inTime && store.count() > 1) {
        return new Stored(store.rate(), drain.rate());
      }
      leadMs *= inTime ? 1 : 2;
    }
  }

  /** The rates in messages a second. */
  public record Stored(double store, double drain) {}

  private Checklist frozen(int size, long due) {
    lane.pause();
    return fill(messages, size, due);
  }

  /**
   * Fills the intake with this many messages that are due at this instant, in epoch milliseconds.
   *
   * @return the records that must arrive
   */
  public Checklist fill(int count, int size, long due) {
    return Checklist.dueAt(
        loader.fill(lane.intake(), count, Loader.value(size), Loader.dueAt(lane.target(), due)),
        due);
  }

  /**
   * Fills the intake with far messages, with or without an id of 20 bytes, and waits until Redis no
   * longer holds them: then they are in the later topic.
   */
  public void fillFar(int count, int size, boolean named) {
    long stored = gauge.stored();
    long pending = gauge.pending();
    List<Header> headers = Loader.dueAt(lane.target(), System.currentTimeMillis() + FAR_MS);
    if (named) {
      loader.fillNamed(lane.intake(), count, Loader.value(size), headers);
    } else {
      loader.fill(lane.intake(), count, Loader.value(size), headers);
    }
    gauge.awaitStored(stored + count, FAR_LIMIT);
    gauge.awaitPending(pending, FAR_LIMIT);
  }

  @Override
  public void close() {
    try (gauge) {
      tail.close();
    }
  }
}
