package io.delaybridge.intake;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.RetryMark;
import io.delaybridge.message.ShardId;
import io.delaybridge.repeat.Repetition;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way to an intake.
 *
 * @param partition where the record must go, or null for the choice by its key
 * @param headers those of the record, in their order, the control headers included
 */
@SuppressWarnings("ArrayRecordComponent")
public record Letter(
    String topic,
    @Nullable Integer partition,
    byte @Nullable [] key,
    byte @Nullable [] value,
    List<StoredHeader> headers) {

  /** Creates a record with headers that are texts. */
  public Letter(
      String topic,
      @Nullable Integer partition,
      byte @Nullable [] key,
      byte @Nullable [] value,
      Map<String, String> headers) {
    this(topic, partition, key, value, texts(headers));
  }

  /** Returns headers that are texts. */
  public static List<StoredHeader> texts(Map<String, String> headers) {
    return headers.entrySet().stream()
        .map(
            entry ->
                new StoredHeader(entry.getKey(), entry.getValue().getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  /** The text of the last header with this name; null if there is none, or it is null. */
  public @Nullable String header(String name) {
    byte[] last = null;
    for (StoredHeader header : headers) {
      if (header.name().equals(name)) {
        last = header.value();
      }
    }
    return last == null ? null : new String(last, StandardCharsets.UTF_8);
  }

  /** Returns this record in that partition. */
  public Letter in(int place) {
    return new Letter(topic, place, key, value, headers);
  }

  /** An ask that is about the whole shard. */
  public static Letter ask(ShardId shard, String op) {
    return new Letter(shard.topic(), shard.partition(), null, null, Map.of(DelayHeaders.OP, op));
  }

  /**
   * An ask that names one pending message.
   *
   * @param key of the message
   * @param id of the message, or null if it has none
   * @param when the header that says when, if the ask needs one
   */
  public static Letter ask(
      ShardId shard, String op, Due key, @Nullable String id, Map<String, String> when) {
    Map<String, String> headers = new HashMap<>(when);
    headers.put(DelayHeaders.OP, op);
    headers.put(DelayHeaders.PENDING, key.offset() + "/" + key.time());
    if (id != null) {
      headers.put(DelayHeaders.ID, id);
    }
    return new Letter(shard.topic(), shard.partition(), null, null, headers);
  }

  /** A cancel by id, which takes back whatever the id stands for when it is read. */
  public static Letter cancel(ShardId shard, String id) {
    Map<String, String> headers =
        Map.of(DelayHeaders.OP, DelayHeaders.OP_CANCEL, DelayHeaders.ID, id);
    return new Letter(shard.topic(), shard.partition(), null, null, headers);
  }

  /** One more occurrence of a message that repeats, due at once and beside its calendar. */
  public static Letter extra(ShardId shard, DelayedMessage repeating) {
    return new Letter(
        shard.topic(),
        shard.partition(),
        repeating.content().key(),
        repeating.content().value(),
        and(Repetition.extra(repeating), Map.of(DelayHeaders.DELAY_MS, "0")));
  }

  /**
   * A copy of a far message with another due time, which takes the place of the message if that is
   * still far. Its headers include the id.
   *
   * @param due epoch milliseconds
   * @param seen intake offset up to which the store had everything when the message was seen to be
   *     far
   */
  public static Letter instead(ShardId shard, DelayedMessage far, long due, long seen) {
    StoredMessage content = far.content();
    RetryMark mark =
        new RetryMark(
            RetryMark.Kind.INSTEAD,
            far.origin(),
            content.attempt(),
            due,
            content.expiresAt(),
            seen);
    return new Letter(
        shard.topic(),
        shard.partition(),
        content.key(),
        content.value(),
        and(content.headers(), Map.of(DelayHeaders.RETRY, mark.toString())));
  }

  private static List<StoredHeader> and(List<StoredHeader> headers, Map<String, String> more) {
    return Stream.concat(headers.stream(), texts(more).stream()).toList();
  }
}
