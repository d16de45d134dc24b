package io.delaybridge.schemas;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stored messages for tests that care about one part of them. */
final class Messages {

  private Messages() {}

  static StoredMessage plain(byte @Nullable [] key, byte @Nullable [] value) {
    return new StoredMessage(
        key,
        value,
        List.of(),
        1,
        0,
        StoredMessage.NO_EXPIRY,
        StoredMessage.SELF,
        null,
        null,
        null,
        0);
  }

  static StoredMessage withHeaders(StoredHeader... headers) {
    return new StoredMessage(
        null,
        null,
        List.of(headers),
        1,
        0,
        StoredMessage.NO_EXPIRY,
        StoredMessage.SELF,
        null,
        null,
        null,
        0);
  }

  static StoredMessage later(int attempt, int maxAttempts, long expiresAt, long origin) {
    return new StoredMessage(
        null, null, List.of(), attempt, maxAttempts, expiresAt, origin, null, null, null, 0);
  }

  static StoredMessage late(long writtenAt) {
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
        writtenAt);
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
        0);
  }
}
