package io.delaybridge.shard;

import io.delaybridge.delivery.Packing;
import io.delaybridge.delivery.Refusal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds what Kafka has said against messages of a shard, by intake offset. A suspect goes out alone
 * before anything is decided about it; a refusal is what that has proven. See <em>Evidence</em> in
 * docs/protocol.md.
 */
final class Evidence {

  private final Map<Long, Refusal> refusals = new HashMap<>();
  private final Map<Long, Packing> suspects = new HashMap<>();

  /** Kafka may have refused the message: it goes out alone, packed like this. */
  void suspect(long offset, Packing packing) {
    suspects.put(offset, packing);
  }

  /** Kafka would refuse the message as it is. An earlier suspicion stays as it is. */
  void suspectTooLarge(long offset) {
    suspects.putIfAbsent(offset, Packing.COMPRESSED);
  }

  boolean isSuspect(long offset) {
    return suspects.containsKey(offset);
  }

  Packing packing(long offset) {
    return suspects.getOrDefault(offset, Packing.PLAIN);
  }

  /** Kafka has refused it. */
  void refuse(long offset, Refusal refusal) {
    suspects.remove(offset);
    refusals.put(offset, refusal);
  }

  @Nullable Refusal refusal(long offset) {
    return refusals.get(offset);
  }

  /** The records made of the message are out. */
  void out(long offset) {
    refusals.remove(offset);
    suspects.remove(offset);
  }

  void clear() {
    refusals.clear();
    suspects.clear();
  }

  @Override
  public String toString() {
    return refusals.keySet() + " " + suspects;
  }
}
