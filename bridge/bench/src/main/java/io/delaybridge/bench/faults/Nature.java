package io.delaybridge.bench.faults;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a message: a pure function of the seed and the message number.
 *
 * @param target index of its target topic; has no meaning if the message does not get there
 * @param delay milliseconds from its timestamp to its due time, negative if it is past due
 * @param way format of its due time: 0 to 2
 * @param hasId whether it has a delay-id; some messages have one although they need none
 * @param padding number of padding bytes in its value
 */
record Nature(Kind kind, int target, long delay, int way, boolean hasId, int padding) {

  /** The number of target topics. */
  static final int TARGETS = 4;

  private static final int MOST_PADDING = 160;
  private static final long TIE_MS = 250;

  /** The kinds of message. */
  enum Kind {
    /** Arrives at its target. */
    PLAIN,
    /** Due in two days at first, then replaced by a second record; only the second one arrives. */
    REPLACED,
    /** Due in two days, then cancelled. */
    CANCELLED,
    /** Malformed: becomes a dead letter at once. */
    MALFORMED,
    /** Has one attempt and a target that does not exist: becomes a dead letter when due. */
    HOMELESS,
    /** The same with three attempts: two copies on the intake, then a dead letter. */
    RETRIED;

    /** Returns whether it ends as a dead letter. */
    boolean dies() {
      return this == MALFORMED || this == HOMELESS || this == RETRIED;
    }

    /** Returns whether it has a first record that the next one replaces or cancels. */
    boolean hasDecoy() {
      return this == REPLACED || this == CANCELLED;
    }
  }

  static Nature of(long seed, int number, long longestDelay) {
    SplittableRandom random = random(seed, number);
    Kind kind = kind(random.nextInt(100));
    long delay = random.nextLong(longestDelay + 1);
    int chance = random.nextInt(100);
    if (chance < 10) {
      delay -= delay % TIE_MS;
    } else if (chance < 15) {
      delay = -delay;
    }
    return new Nature(
        kind,
        random.nextInt(TARGETS),
        kind == Kind.MALFORMED ? 0 : delay,
        random.nextInt(3),
        kind.hasDecoy() || random.nextInt(100) < 20,
        random.nextInt(MOST_PADDING));
  }

  /** Returns the message as a plain one without an id. */
  Nature plain() {
    return new Nature(Kind.PLAIN, target, delay, way, false, padding);
  }

  /** Returns the key of a record; null for a fifth of them. */
  static byte @Nullable [] key(long seed, int number) {
    long key = random(~seed, number).nextLong();
    return key % 5 == 0 ? null : ByteBuffer.allocate(Long.BYTES).putLong(key).array();
  }

  private static Kind kind(int percent) {
    if (percent < 90) {
      return Kind.PLAIN;
    } else if (percent < 94) {
      return Kind.REPLACED;
    } else if (percent < 97) {
      return Kind.CANCELLED;
    } else if (percent < 98) {
      return Kind.MALFORMED;
    } else if (percent < 99) {
      return Kind.HOMELESS;
    }
    return Kind.RETRIED;
  }

  private static SplittableRandom random(long seed, int number) {
    return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number).split();
  }
}
