package io.delaybridge.shard;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import java.util.ArrayList;
import java.util.List;

/**
 * Says exactly which messages of a shard are settled. A message is covered if some pair covers it.
 * Immutable; pairs are in ascending order of offset and therefore descending order of key, since
 * dominated ones are dropped.
 *
 * @param pairs usually one or two
 */
public record Frontier(List<Pair> pairs) {

  /** Nothing is settled. */
  public static final Frontier NONE = new Frontier(List.of());

  /** Copies the list. */
  public Frontier {
    pairs = List.copyOf(pairs);
  }

  /**
   * Every intake offset below {@code below} whose key is before {@code before} is settled.
   *
   * @param below intake offset
   * @param before key, {@link Due#NEVER} for every key
   */
  public record Pair(long below, Due before) {

    boolean covers(Due key, long readAt) {
      return readAt < below && key.isBefore(before);
    }

    boolean dominates(Pair other) {
      return below >= other.below && before.compareTo(other.before) >= 0;
    }
  }

  /** True if the message with this key is settled; the key must be that of its record. */
  public boolean covers(Due key) {
    return covers(key, key.offset());
  }

  /** True if the message is settled. A message that came home was read later than its key says. */
  boolean covers(DelayedMessage message) {
    return covers(message.key(), message.readAt());
  }

  /**
   * True if the message with this key is settled.
   *
   * @param readAt intake offset of the record that it was read from
   */
  boolean covers(Due key, long readAt) {
    for (Pair pair : pairs) {
      if (pair.covers(key, readAt)) {
        return true;
      }
    }
    return false;
  }

  /** This frontier and one more pair, without the pairs that then add nothing. */
  public Frontier with(Pair added) {
    List<Pair> kept = new ArrayList<>(pairs.size() + 1);
    for (Pair pair : pairs) {
      if (pair.dominates(added)) {
        return this;
      }
      if (!added.dominates(pair)) {
        kept.add(pair);
      }
    }
    int at = 0;
    while (at < kept.size() && kept.get(at).below() < added.below()) {
      at++;
    }
    kept.add(at, added);
    return new Frontier(kept);
  }

  /**
   * The highest offset in any pair. A store whose {@code next} is lower has fallen back and must be
   * fed again before anything is taken from it.
   */
  public long highest() {
    return pairs.isEmpty() ? 0 : pairs.get(pairs.size() - 1).below();
  }
}
