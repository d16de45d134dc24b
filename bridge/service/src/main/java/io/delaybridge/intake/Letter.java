package io.delaybridge.intake;

import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way to an intake.
 *
 * @param partition where it must go, or null for the choice by id or key
 * @param headers names and values, the control headers included
 */
@SuppressWarnings("ArrayRecordComponent")
public record Letter(
    String topic,
    @Nullable Integer partition,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Map<String, String> headers) {

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
}
