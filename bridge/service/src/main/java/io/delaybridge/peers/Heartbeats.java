package io.delaybridge.peers;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Knows whether Kafka has answered lately. It counts the heartbeats that consumers send from a
 * thread of their own, whatever the thread that polls them does. A consumer sends none while it
 * waits for the group to divide its partitions, which may take as long as the slowest member needs;
 * then Kafka is asked something else. What counts is the number of looks, not a clock, as in {@link
 * Peers}. Safe for use by many threads.
 */
public final class Heartbeats {

  /** Looks in a row without an answer after which the last one is too old. The first one asks. */
  private static final int QUIET_AFTER = 2;

  private final Supplier<CompletionStage<?>> question;
  private final Map<String, Watched> consumers = new ConcurrentHashMap<>();
  private final AtomicBoolean asking = new AtomicBoolean();
  private final AtomicBoolean answered = new AtomicBoolean();
  private int quietLooks = QUIET_AFTER;

  /** The number of answers that a consumer had when it was last looked at. */
  private static final class Watched {
    private final Metric answers;
    private double seen;

    Watched(Metric answers) {
      this.answers = answers;
    }

    boolean hasMore() {
      double count = ((Number) answers.metricValue()).doubleValue();
      boolean more = count > seen;
      seen = count;
      return more;
    }
  }

  /**
   * @param question is asked of Kafka while there are no heartbeats; does not wait, and always
   *     completes
   */
  public Heartbeats(Supplier<CompletionStage<?>> question) {
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

  /**
   * Looks for answers, and returns true if Kafka has given one lately. Must be called about as
   * often as a consumer sends heartbeats.
   */
  public synchronized boolean areFresh() {
    boolean heard = answered.getAndSet(false);
    for (Watched consumer : consumers.values()) {
      heard |= consumer.hasMore();
    }
    quietLooks = heard ? 0 : quietLooks + 1;
    if (!heard && asking.compareAndSet(false, true)) {
      ask();
    }
    return quietLooks < QUIET_AFTER;
  }

  private void ask() {
    CompletionStage<?> asked;
    try {
      asked = question.get();
    } catch (RuntimeException | Error e) {
      asking.set(false);
      throw e;
    }
    asked.whenComplete(
        (answer, failure) -> {
          if (failure == null) {
            answered.set(true);
          }
          asking.set(false);
        });
  }
}
