package io.delaybridge.bench.speed.lab;

import java.time.Duration;

/** A lane with what looks at both of its ends; where its rates are taken. */
public final class Station implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int SLOWEST = 25_000;

  private final Lane lane;
  private final Tail tail;
  private final ShardGauge gauge;
  private final Loader loader;
  private final int messages;
  private long leadMs;

  /**
   * @param messages in one filling
   */
  public Station(Lab lab, Lane lane, Loader loader, int partitions, int messages) {
    this.lane = lane;
    this.tail = new Tail(lab.bootstrapServers(), lane.target(), partitions);
    this.gauge = new ShardGauge(lab.redis().uri(), lane.name(), lane.intake(), partitions);
    this.loader = loader;
    this.messages = messages;
    this.leadMs = 3_000 + 1_000L * messages / SLOWEST / 2;
  }

  /** What this is about. */
  public Lane lane() {
    return lane;
  }

  /** The far end. */
  public Tail tail() {
    return tail;
  }

  /** What is in Redis. */
  public ShardGauge gauge() {
    return gauge;
  }

  /** The near end. */
  public Loader loader() {
    return loader;
  }

  /**
   * Fills the intake with what is due already while the process is frozen, lets it go, and waits
   * for all on the target: messages a second between the first and the last that the broker
   * appended.
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
   * Fills the intake with messages due at one instant, far enough for all to be stored before.
   * Store: messages a second in the growth of what Redis says is stored. Drain: as {@link
   * #through}. If the instant comes too soon, all is done once more with a later one.
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
      if (inTime) {
        return new Stored(store.rate(), drain.rate());
      }
      leadMs *= 2;
    }
  }

  /** Messages a second. */
  public record Stored(double store, double drain) {}

  private Checklist frozen(int size, long due) {
    lane.pause();
    return fill(messages, size, due);
  }

  /**
   * Fills the intake with so many messages that are due at this instant, epoch milliseconds.
   *
   * @return what then must come
   */
  public Checklist fill(int count, int size, long due) {
    return Checklist.dueAt(
        loader.fill(lane.intake(), count, Loader.value(size), Loader.dueAt(lane.target(), due)),
        due);
  }

  @Override
  public void close() {
    try (gauge) {
      tail.close();
    }
  }
}
