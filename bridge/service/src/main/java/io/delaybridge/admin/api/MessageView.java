package io.delaybridge.admin.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.schemas.StoredMessage;
import io.delaybridge.store.PendingView.Found;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pending message as the API shows it. Times are epoch milliseconds.
 *
 * @param source intake offset of its first record, as topic/partition/offset
 * @param offset intake offset of the record that is pending; after a move or a retry, of the last
 *     copy
 * @param targetPartition null if it follows from the key
 * @param bytes its size in the store
 * @param repeat only if it repeats
 * @param value only if it was asked for
 */
public record MessageView(
    String source,
    long offset,
    @Nullable String id,
    String intake,
    @Nullable String target,
    @Nullable Integer targetPartition,
    long due,
    State state,
    int attempt,
    @Nullable Integer maxAttempts,
    @Nullable Long expiresAt,
    int bytes,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable RepeatView repeat,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Content value) {

  /** Whether the due time has come. */
  public enum State {
    /** It waits for its due time. */
    PENDING,
    /** It is due so far ahead that it waits in the later topic, and comes back by the horizon. */
    FAR,
    /** It is due and about to be delivered. */
    OVERDUE
  }

  /** The content of a message. Bytes that are not UTF-8 are given in Base64. */
  public record Content(
      @Nullable String key,
      @Nullable String keyBase64,
      @Nullable String value,
      @Nullable String valueBase64,
      List<HeaderPair> headers) {}

  static MessageView of(Found found, boolean value, long now) {
    DelayedMessage message = found.message();
    StoredMessage content = message.content();
    return new MessageView(
        found.shard().source(message.origin()).toString(),
        found.offset(),
        message.id(),
        found.shard().topic(),
        message.target(),
        message.targetPartition(),
        message.key().time(),
        state(found, now),
        content.attempt(),
        content.maxAttempts() == 0 ? null : content.maxAttempts(),
        content.expiresAt() == StoredMessage.NO_EXPIRY ? null : content.expiresAt(),
        found.bytes(),
        RepeatView.of(message),
        value ? content(content) : null);
  }

  private static State state(Found found, long now) {
    if (found.isFar()) {
      return State.FAR;
    }
    return found.message().key().time() <= now ? State.OVERDUE : State.PENDING;
  }

  private static Content content(StoredMessage content) {
    return new Content(
        Payload.text(content.key()),
        Payload.base64(content.key()),
        Payload.text(content.value()),
        Payload.base64(content.value()),
        HeaderPair.of(content.headers()));
  }
}
