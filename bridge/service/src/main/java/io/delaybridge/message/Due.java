package io.delaybridge.message;

import java.util.Comparator;

/**
 * The key of a message: its due time, ties broken by its intake offset. The key is a pure function
 * of the record, so a frontier can say "everything below this key is settled".
 *
 * @param time epoch milliseconds before which the message must not be delivered; {@link #ASKED} for
 *     an ask
 * @param offset intake offset of the record
 */
public record Due(long time, long offset) implements Comparable<Due> {

  /** Later than every message: plus infinity. */
  public static final Due NEVER = new Due(Long.MAX_VALUE, Long.MAX_VALUE);

  /** The due time of asks: before that of every message. */
  public static final long ASKED = -1;

  private static final Comparator<Due> ORDER =
      Comparator.comparingLong(Due::time).thenComparingLong(Due::offset);

  @Override
  public int compareTo(Due other) {
    return ORDER.compare(this, other);
  }

  /** True if this key sorts strictly before {@code other}. */
  public boolean isBefore(Due other) {
    return compareTo(other) < 0;
  }

  /** The key of an ask. */
  public static Due asked(long offset) {
    return new Due(ASKED, offset);
  }

  /** The earlier of the two. */
  public static Due earlier(Due a, Due b) {
    return b.isBefore(a) ? b : a;
  }
}
