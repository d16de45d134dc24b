package io.delaybridge.peers;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Tells whether the coordinator of the group has answered lately, by the heartbeats that consumers
 * send from a thread of their own, whatever the thread that polls them is about. Safe for use by
 * many threads.
 */
public final class Heartbeats {

  /** After a start: long enough to give up who has died before. */
  private static final long FIRST = Duration.ofSeconds(5).toNanos();

  private final long lately;
  private final LongSupplier nanoTime;
  private volatile long firstUntil;
  private final Map<String, Watched> consumers = new ConcurrentHashMap<>();

  /** How many answers a consumer had, and when there was a new one. */
  private static final class Watched {
    private final Metric answers;
    private double seen;
    private long at;
    private boolean any;

    Watched(Metric answers) {
      this.answers = answers;
    }

    synchronized boolean isFresh(long now, long lately) {
      double count = ((Number) answers.metricValue()).doubleValue();
      if (count > seen) {
        seen = count;
        at = now;
        any = true;
      }
      return any && now - at < lately;
    }
  }

  /**
   * @param lately how old the last answer may be; some times as long as it is between two
   * @param nanoTime a clock that only ever goes forward
   */
  public Heartbeats(Duration lately, LongSupplier nanoTime) {
    this.lately = lately.toNanos();
    this.nanoTime = nanoTime;
    this.firstUntil = nanoTime.getAsLong();
  }

  /** From now on this consumer is the one of that name. */
  public void watch(String name, Consumer<?, ?> consumer) {
    for (Map.Entry<MetricName, ? extends Metric> metric : consumer.metrics().entrySet()) {
      if (metric.getKey().name().equals("heartbeat-total")) {
        consumers.put(name, new Watched(metric.getValue()));
        return;
      }
    }
    throw new IllegalStateException("this consumer does not count heartbeats");
  }

  /**
   * Kafka has answered something else, and there are no heartbeats yet: a consumer sends none
   * before it is a member, and that takes until those are out of the group who have died before.
   */
  public void begin() {
    firstUntil = nanoTime.getAsLong() + FIRST;
  }

  /** True if one of the consumers had an answer lately. */
  public boolean areFresh() {
    long now = nanoTime.getAsLong();
    boolean fresh = now - firstUntil < 0;
    for (Watched consumer : consumers.values()) {
      fresh |= consumer.isFresh(now, lately);
    }
    return fresh;
  }
}
