package io.delaybridge.bench.faults;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What kind of message a number is: a pure function of the seed.
 *
 * @param target index of the topic it is for; of no meaning to those that do not get there
 * @param delay milliseconds from its timestamp to its due time, negative if it is past due
 * @param way how its due time is written: 0 to 2
 * @param hasId whether it has a delay-id although it needs none
 * @param padding bytes of its value that say nothing
 */
record Nature(Kind kind, int target, long delay, int way, boolean hasId, int padding) {

  /** Topics that messages are for. */
  static final int TARGETS = 4;

  private static final int MOST_PADDING = 160;
  private static final long TIE_MS = 250;

  /** What becomes of a message. */
  enum Kind {
    /** Arrives at its target. */
    PLAIN,
    /** Due in an hour at first, then replaced by a second record; only that one arrives. */
    REPLACED,
    /** Due in an hour, then cancelled. */
    CANCELLED,
    /** Malformed: a dead letter at once. */
    MALFORMED,
    /** Its target does not exist and it has one attempt: a dead letter when due. */
    HOMELESS,
    /** The same with three attempts: two copies on the intake, then a dead letter. */
    RETRIED;

    /** True if it ends as a dead letter. */
    boolean dies() {
      return this == MALFORMED || this == HOMELESS || this == RETRIED;
    }

    /** True if a record of it that is due in an hour is taken back by the next one. */
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

  /** The same as one that just arrives. */
  Nature plain() {
    return new Nature(Kind.PLAIN, target, delay, way, false, padding);
  }

  /** The key of a record, null for a fifth of them. */
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
