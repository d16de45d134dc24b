package io.delaybridge.schemas;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pending message as the store keeps it: the record, and what the bridge has to know to deliver
 * it. Neither where it is stored nor when it is due is part of it; the store's own index says that.
 *
 * <p>Two are equal if all parts are, arrays by their bytes. Key and value are not copied: whoever
 * hands them over, or asks for them, must not change them.
 *
 * @param key the key of the record, byte for byte; null is not empty
 * @param value the value of the record, byte for byte; null is not empty
 * @param headers the headers of the record, in its order; copied
 * @param attempt which delivery attempt comes next, 1 for the first
 * @param maxAttempts how many attempts the message may have, 0 for as many as the bridge is
 *     configured for
 * @param expiresAt when the message expires, in epoch milliseconds, or {@link #NO_EXPIRY}
 * @param origin the intake offset of the first attempt, or {@link #SELF} when this record is itself
 *     the first
 * @param reason why the request is malformed and is to become a dead letter; null if it is
 *     well-formed
 * @param detail what exactly is wrong with the request, for a human; null if there is nothing to
 *     add to the reason, and always if there is none
 * @param ask the ask that has taken the place of this message, or null
 * @param writtenAt when the record was written, in epoch milliseconds, if the message was due
 *     before that or is traced; else {@link #BEFORE_DUE}
 * @param farDue when the message is due, in epoch milliseconds, if it is far and leaves for the
 *     later topic first; else {@link #NEAR}
 * @param readAt the intake offset of this record, if it is a copy that came home from the later
 *     topic and is stored under the offset of its origin; else {@link #SELF}
 */
// Arrays, because that is what Kafka gives and takes; equals, hashCode and toString below know that
// they are.
@SuppressWarnings("ArrayRecordComponent")
public record StoredMessage(
    @Parameter.Nullable byte @Nullable [] key,
    @Parameter.Nullable byte @Nullable [] value,
    List<StoredHeader> headers,
    int attempt,
    int maxAttempts,
    long expiresAt,
    long origin,
    @Nullable Reason reason,
    @Nullable String detail,
    @Nullable StoredAsk ask,
    long writtenAt,
    long farDue,
    long readAt) {

  /** The {@code expiresAt} of a message that never expires. */
  public static final long NO_EXPIRY = Long.MAX_VALUE;

  /** The {@code origin} of a record that is itself the first attempt. */
  public static final long SELF = -1;

  /** The {@code writtenAt} of a message that was written before it was due. */
  public static final long BEFORE_DUE = 0;

  /** The {@code farDue} of a message that waits in the store. */
  public static final long NEAR = 0;

  /** Creates the message for an ask that found no message at the place that it names. */
  public static StoredMessage inVain(StoredAsk ask) {
    return new StoredMessage(
        null,
        null,
        List.of(),
        1,
        0,
        NO_EXPIRY,
        SELF,
        null,
        null,
        ask.foundNothing(),
        BEFORE_DUE,
        StoredMessage.NEAR,
        StoredMessage.SELF);
  }

  /** Returns this message with the ask that has taken its place, or without one. */
  public StoredMessage askedBy(@Nullable StoredAsk by) {
    return new StoredMessage(
        key,
        value,
        headers,
        attempt,
        maxAttempts,
        expiresAt,
        origin,
        reason,
        detail,
        by,
        writtenAt,
        farDue,
        readAt);
  }

  /** Returns this message with other headers. */
  public StoredMessage withHeaders(List<StoredHeader> others) {
    return new StoredMessage(
        key,
        value,
        others,
        attempt,
        maxAttempts,
        expiresAt,
        origin,
        reason,
        detail,
        ask,
        writtenAt,
        farDue,
        readAt);
  }

  /**
   * @throws IllegalArgumentException if a number is out of its range, or there is a detail without
   *     a reason
   * @throws NullPointerException if the headers, or one of them, are null
   */
  public StoredMessage {
    headers = List.copyOf(headers);
    require(attempt >= 1, "attempt must be at least 1, is ", attempt);
    require(maxAttempts >= 0, "maxAttempts must be at least 0, is ", maxAttempts);
    require(origin >= SELF, "origin must be an offset or SELF (-1), is ", origin);
    require(writtenAt >= BEFORE_DUE, "writtenAt must be at least 0, is ", writtenAt);
    require(farDue >= NEAR, "farDue must be at least 0, is ", farDue);
    require(readAt >= SELF, "readAt must be an offset or SELF (-1), is ", readAt);
    if (detail != null && reason == null) {
      throw new IllegalArgumentException("there must be no detail without a reason");
    }
  }

  // Builds the text only when needed, because one of these is created for every message.
  private static void require(boolean valid, String message, long actual) {
    if (!valid) {
      throw new IllegalArgumentException(message + actual);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoredMessage that
        && attempt == that.attempt
        && maxAttempts == that.maxAttempts
        && expiresAt == that.expiresAt
        && origin == that.origin
        && writtenAt == that.writtenAt
        && farDue == that.farDue
        && readAt == that.readAt
        && reason == that.reason
        && Objects.equals(detail, that.detail)
        && Objects.equals(ask, that.ask)
        && Arrays.equals(key, that.key)
        && Arrays.equals(value, that.value)
        && headers.equals(that.headers);
  }

  @Override
  public int hashCode() {
    int rest =
        Objects.hash(
            headers,
            attempt,
            maxAttempts,
            expiresAt,
            origin,
            reason,
            detail,
            ask,
            writtenAt,
            farDue,
            readAt);
    return 31 * (31 * Arrays.hashCode(key) + Arrays.hashCode(value)) + rest;
  }

  /** Returns everything but the payload: only the sizes of key, value and header values. */
  @Override
  public String toString() {
    return "StoredMessage[key="
        + StoredHeader.size(key)
        + ", value="
        + StoredHeader.size(value)
        + ", headers="
        + headers
        + ", attempt="
        + attempt
        + ", maxAttempts="
        + maxAttempts
        + ", expiresAt="
        + (expiresAt == NO_EXPIRY ? "never" : Long.toString(expiresAt))
        + ", origin="
        + (origin == SELF ? "self" : Long.toString(origin))
        + ", reason="
        + reason
        + ", detail="
        + detail
        + ", ask="
        + ask
        + (writtenAt == BEFORE_DUE ? "" : ", writtenAt=" + writtenAt)
        + (farDue == NEAR ? "" : ", farDue=" + farDue)
        + (readAt == SELF ? "" : ", readAt=" + readAt)
        + "]";
  }
}
