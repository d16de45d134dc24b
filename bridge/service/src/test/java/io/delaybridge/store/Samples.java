package io.delaybridge.store;

import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages and entries for tests that care about one part of them. */
final class Samples {

  private Samples() {}

  static DelayedMessage message(long offset, long due) {
    return message(offset, due, null, StoredMessage.SELF, value(offset), 0);
  }

  static DelayedMessage named(long offset, long due, String id) {
    return message(offset, due, id, StoredMessage.SELF, value(offset), 0);
  }

  /** Returns the same message, repeated each hour. */
  static DelayedMessage repeating(DelayedMessage message) {
    List<StoredHeader> headers = new ArrayList<>(message.content().headers());
    headers.add(new StoredHeader(DelayHeaders.EVERY, utf8("PT1H")));
    return message.withHeaders(headers);
  }

  static DelayedMessage sized(long offset, long due, int bytes) {
    return message(offset, due, null, StoredMessage.SELF, new byte[bytes], 0);
  }

  /** Returns a message without an id, with that value. */
  static DelayedMessage valued(long offset, long due, String value) {
    return message(offset, due, null, StoredMessage.SELF, utf8(value), 0);
  }

  /**
   * Returns the copy of the message at {@code origin} that the bridge itself has put on the intake.
   */
  static DelayedMessage retry(long offset, long due, @Nullable String id, long origin) {
    return message(offset, due, id, origin, value(offset), 0);
  }

  /** Returns a message that leaves at once and is due a thousand milliseconds later. */
  static DelayedMessage far(long offset, long writtenAt, @Nullable String id) {
    DelayedMessage near = message(offset, writtenAt, id, StoredMessage.SELF, value(offset), 0);
    return with(near, writtenAt, offset, writtenAt + 1_000, StoredMessage.SELF);
  }

  /** Returns a message that leaves at once and is due at that time. */
  static DelayedMessage far(long offset, long writtenAt, long due, @Nullable String id) {
    return with(far(offset, writtenAt, id), writtenAt, offset, due, StoredMessage.SELF);
  }

  /**
   * Returns the copy of the message at {@code origin} that leaves at once and is due at that time.
   */
  static DelayedMessage farRetry(
      long offset, long writtenAt, long due, @Nullable String id, long origin) {
    DelayedMessage copy = message(offset, writtenAt, id, origin, value(offset), 0);
    return with(copy, writtenAt, offset, due, StoredMessage.SELF);
  }

  /** Returns the copy of the far message at {@code origin} that has come home. */
  static DelayedMessage home(long offset, long due, @Nullable String id, long origin) {
    DelayedMessage copy = message(offset, due, id, origin, value(offset), 0);
    return with(copy, due, origin, StoredMessage.NEAR, offset);
  }

  private static DelayedMessage with(
      DelayedMessage message, long time, long offset, long farDue, long readAt) {
    StoredMessage content = message.content();
    return new DelayedMessage(
        new Due(time, offset),
        new StoredMessage(
            content.key(),
            content.value(),
            content.headers(),
            content.attempt(),
            content.maxAttempts(),
            content.expiresAt(),
            content.origin(),
            null,
            null,
            null,
            content.writtenAt(),
            farDue,
            readAt));
  }

  /** Returns a message that was due before it was written. */
  static DelayedMessage late(long offset, long due, long writtenAt) {
    return message(offset, due, null, StoredMessage.SELF, value(offset), writtenAt);
  }

  static DelayedMessage malformed(long offset, long due, String id) {
    StoredMessage content =
        new StoredMessage(
            null,
            null,
            List.of(new StoredHeader(DelayHeaders.ID, utf8(id))),
            1,
            0,
            StoredMessage.NO_EXPIRY,
            StoredMessage.SELF,
            Reason.INVALID_SPREAD,
            null,
            null,
            0,
            StoredMessage.NEAR,
            StoredMessage.SELF);
    return new DelayedMessage(new Due(due, offset), content);
  }

  private static DelayedMessage message(
      long offset, long due, @Nullable String id, long origin, byte[] value, long writtenAt) {
    List<StoredHeader> headers =
        id == null ? List.of() : List.of(new StoredHeader(DelayHeaders.ID, utf8(id)));
    StoredMessage content =
        new StoredMessage(
            null,
            value,
            headers,
            origin == StoredMessage.SELF ? 1 : 2,
            0,
            StoredMessage.NO_EXPIRY,
            origin,
            null,
            null,
            null,
            writtenAt,
            StoredMessage.NEAR,
            StoredMessage.SELF);
    return new DelayedMessage(new Due(due, offset), content);
  }

  static Entry schedule(DelayedMessage message) {
    return new Entry.Schedule(message, false);
  }

  static Entry covered(DelayedMessage message) {
    return new Entry.Schedule(message, true);
  }

  /** Returns a replacement of the message at {@code named}, which acts if that is still far. */
  static Entry instead(DelayedMessage message, long named) {
    return new Entry.Schedule(message, false, new Entry.Instead(named, true));
  }

  /**
   * Returns a replacement for which the log no longer has all records that could speak against it.
   */
  static Entry oldInstead(DelayedMessage message, long named) {
    return new Entry.Schedule(message, true, new Entry.Instead(named, false));
  }

  static Entry coveredInstead(DelayedMessage message, long named) {
    return new Entry.Schedule(message, true, new Entry.Instead(named, true));
  }

  /** Returns a cancel behind all other records. */
  static Entry cancel(String id) {
    return cancel(id, Long.MAX_VALUE);
  }

  static Entry cancel(String id, long offset) {
    return new Entry.Cancel(new Cancellation(id), offset);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] value(long offset) {
    return utf8("value of " + offset);
  }
}
