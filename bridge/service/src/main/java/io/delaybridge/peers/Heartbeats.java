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
 * Knows whether Kafka has answered lately. It counts the heartbeats that consumers send from a
 * thread of their own, whatever the thread that polls them does. A consumer sends none while it
 * waits for the group to divide its partitions, which may take as long as the slowest member needs;
 * then Kafka is asked something else. Safe for use by many threads.
 */
public final class Heartbeats {

  private final long lately;
  private final LongSupplier nanoTime;
  private final Supplier<CompletionStage<?>> question;
  private final Map<String, Watched> consumers = new ConcurrentHashMap<>();
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile long answeredAt;
  private volatile boolean answered;

  /** The number of answers that a consumer had when it was last looked at. */
  private static final class Watched {
    private final Metric answers;
    private double seen;

    Watched(Metric answers) {
      this.answers = answers;
    }

    synchronized boolean hasMore() {
      double count = ((Number) answers.metricValue()).doubleValue();
      boolean more = count > seen;
      seen = count;
      return more;
    }
  }

  /**
   * @param lately how old the last answer may be; a few times the interval between two answers
   * @param nanoTime a clock that only ever goes forward
   * @param question is asked of Kafka while there are no heartbeats; does not wait, and always
   *     completes
   */
  public Heartbeats(Duration lately, LongSupplier nanoTime, Supplier<CompletionStage<?>> question) {
    this.lately = lately.toNanos();
    this.nanoTime = nanoTime;
    this.question = question;
  }

  /** Watches this consumer from now on, in place of an earlier one of that name. */
  public void watch(String name, Consumer<?, ?> consumer) {
    for (Map.Entry<MetricName, ? extends Metric> metric : consumer.metrics().entrySet()) {
      if (metric.getKey().name().equals("heartbeat-total")) {
        consumers.put(name, new Watched(metric.getValue()));
        return;
      }
    }
    throw new IllegalStateException("this consumer does not count heartbeats");
  }

  /** Returns true if Kafka has answered lately. Must be called several times within that period. */
  public boolean areFresh() {
    for (Watched consumer : consumers.values()) {
      if (consumer.hasMore()) {
        answered();
      }
    }
    if (!isWithin(lately / 2) && asking.compareAndSet(false, true)) {
      ask();
    }
    return isWithin(lately);
  }

  private boolean isWithin(long nanos) {
    return answered && nanoTime.getAsLong() - answeredAt < nanos;
  }

  private void answered() {
    answeredAt = nanoTime.getAsLong();
    answered = true;
  }

  private void ask() {
    question
        .get()
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                answered();
              }
              asking.set(false);
            });
  }
}
