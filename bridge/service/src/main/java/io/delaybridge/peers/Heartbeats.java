package io.delaybridge.peers;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Tells whether Kafka has answered lately: by the heartbeats that consumers send from a thread of
 * their own, whatever the thread that polls them is about. A consumer sends none while it waits for
 * the group to divide its partitions, which may take as long as the slowest member needs; then
 * Kafka is asked something else. Safe for use by many threads.
 */
public final class Heartbeats {

  private final long lately;
  private final LongSupplier nanoTime;
  private final Supplier<CompletionStage<?>> question;
  private final Map<String, Watched> consumers = new ConcurrentHashMap<>();
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile long answeredAt;
  private volatile boolean answered;

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
   * @param question is asked of Kafka while there are no heartbeats; does not wait, and comes to an
   *     end
   */
  public Heartbeats(Duration lately, LongSupplier nanoTime, Supplier<CompletionStage<?>> question) {
    this.lately = lately.toNanos();
    this.nanoTime = nanoTime;
    this.question = question;
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

  /** True if Kafka has answered lately. To be called some times as often as that. */
  public boolean areFresh() {
    long now = nanoTime.getAsLong();
    boolean fresh = false;
    for (Watched consumer : consumers.values()) {
      // The first answers must not hide the others: each is looked at.
      fresh |= consumer.isFresh(now, lately / 2);
    }
    if (fresh) {
      answeredAt = now;
      answered = true;
    } else if (asking.compareAndSet(false, true)) {
      ask();
    }
    return answered && now - answeredAt < lately;
  }

  private void ask() {
    question
        .get()
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                answeredAt = nanoTime.getAsLong();
                answered = true;
              }
              asking.set(false);
            });
  }
}
