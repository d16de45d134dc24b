package io.delaybridge.connect.transform;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Counts the records that go out undelayed because they lack the field. Says so with the first one,
 * and then at most once a minute. For the thread of the task; the total can be read from others.
 */
public final class Passed {

  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanos;
  private final AtomicLong total = new AtomicLong();
  private long told;
  private long toldAt;

  /**
   * @param nanos monotonic clock
   */
  public Passed(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Returns how many there are so far. */
  public long total() {
    return total.get();
  }

  /**
   * Counts one record.
   *
   * @return a line for the log, if it is time for one
   */
  public Optional<String> add(String topic, FieldPath field) {
    long count = total.incrementAndGet();
    long now = nanos.getAsLong();
    if (told > 0 && now - toldAt < PAUSE_NANOS) {
      return Optional.empty();
    }
    String line =
        told == 0
            ? "A record of %s has no %s and goes out undelayed (missing.field=pass)"
                .formatted(topic, field)
            : "%d more records of this task have no %s and go out undelayed, %d in all"
                .formatted(count - told, field, count);
    told = count;
    toldAt = now;
    return Optional.of(line);
  }
}
