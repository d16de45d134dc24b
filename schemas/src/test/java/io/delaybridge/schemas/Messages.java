package io.delaybridge.schemas;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stored messages for tests that care about one part of them. */
final class Messages {

  private Messages() {}

  static StoredMessage plain(byte @Nullable [] key, byte @Nullable [] value) {
    return message(key, value, List.of(), StoredMessage.BEFORE_DUE);
  }

  static StoredMessage withHeaders(StoredHeader... headers) {
    return message(null, null, List.of(headers), StoredMessage.BEFORE_DUE);
  }

  static StoredMessage late(long writtenAt) {
    return message(null, null, List.of(), writtenAt);
  }

  private static StoredMessage message(
      byte @Nullable [] key, byte @Nullable [] value, List<StoredHeader> headers, long writtenAt) {
    return new StoredMessage(
        key,
        value,
        headers,
        1,
        0,
        StoredMessage.NO_EXPIRY,
        StoredMessage.SELF,
        null,
        null,
        null,
        writtenAt,
        StoredMessage.NEAR,
        StoredMessage.SELF);
  }

  /** One that leaves for the later topic, or has come home from there. */
  static StoredMessage far(long farDue, long readAt) {
    return new StoredMessage(
        null,
        null,
        List.of(),
        1,
        0,
        StoredMessage.NO_EXPIRY,
        StoredMessage.SELF,
        null,
        null,
        null,
        0,
        farDue,
        readAt);
  }

  static StoredMessage later(int attempt, int maxAttempts, long expiresAt, long origin) {
    return new StoredMessage(
        null,
        null,
        List.of(),
        attempt,
        maxAttempts,
        expiresAt,
        origin,
        null,
        null,
        null,
        0,
        StoredMessage.NEAR,
        StoredMessage.SELF);
  }

  static StoredMessage malformed(@Nullable Reason reason, @Nullable String detail) {
    return new StoredMessage(
        null,
        null,
        List.of(),
        1,
        0,
        StoredMessage.NO_EXPIRY,
        StoredMessage.SELF,
        reason,
        detail,
        null,
        0,
        StoredMessage.NEAR,
        StoredMessage.SELF);
  }
}
