package io.delaybridge.bench.speed.lab;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A check that each sent record arrives exactly once, and none before it is due. A count alone
 * misses a lost record if another one arrives twice. The due times come from the sender; the
 * arrival times are the append times of the broker. Used by one thread at a time.
 */
public final class Checklist {

  private final Sent sent;
  private final LongUnaryOperator dueMs;
  private final BitSet seen = new BitSet();
  private long arrived;
  private long early;
  private long earliestMs;

  /**
   * Creates a list on which nothing is ticked yet.
   *
   * @param dueMs gives the due time of a number, epoch milliseconds
   */
  public Checklist(Sent sent, LongUnaryOperator dueMs) {
    this.sent = sent;
    this.dueMs = dueMs;
  }

  /** Returns a list for records that are all due at one instant, in epoch milliseconds. */
  public static Checklist dueAt(Sent sent, long dueMs) {
    return new Checklist(sent, number -> dueMs);
  }

  /** Returns a list for records without a delay, or with unknown due times. */
  public static Checklist of(Sent sent) {
    return dueAt(sent, Long.MIN_VALUE);
  }

  /**
   * Ticks a record.
   *
   * @return its number
   * @throws IllegalStateException if it was not sent, or has come before
   */
  public long tick(ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key();
    if (key == null || key.length != Long.BYTES) {
      throw new IllegalStateException(
          "a record without a number: %s-%d@%d"
              .formatted(record.topic(), record.partition(), record.offset()));
    }
    long number = ByteBuffer.wrap(key).getLong();
    tick(number, record.timestamp());
    return number;
  }

  void tick(long number, long appendedMs) {
    if (number < sent.first() || number - sent.first() >= sent.count()) {
      throw new IllegalStateException(
          "number %d came, which is none of the %d from %d on"
              .formatted(number, sent.count(), sent.first()));
    }
    int place = (int) (number - sent.first());
    if (seen.get(place)) {
      throw new IllegalStateException("number %d came twice".formatted(number));
    }
    seen.set(place);
    arrived++;
    long due = dueMs.applyAsLong(number);
    if (appendedMs < due) {
      early++;
      earliestMs = Math.max(earliestMs, due - appendedMs);
    }
  }

  /** Returns whether all records have arrived. */
  public boolean isComplete() {
    return arrived == sent.count();
  }

  /** Returns the number of sent records. */
  public long count() {
    return sent.count();
  }

  /** Returns a description of the missing records, for a timeout. */
  public String missing() {
    return "only %d of %d came; the first that did not is number %d"
        .formatted(arrived, sent.count(), sent.first() + seen.nextClearBit(0));
  }

  /**
   * Checks at the end that no record came early.
   *
   * @throws IllegalStateException if a record came before it was due
   */
  public void requireNoneEarly() {
    if (early > 0) {
      throw new IllegalStateException(
          "%d of %d records came before they were due, one of them by %d ms"
              .formatted(early, sent.count(), earliestMs));
    }
  }
}
