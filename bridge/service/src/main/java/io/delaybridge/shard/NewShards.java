package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.shard.ShardDirectory.UnavailableException;
import io.delaybridge.store.ShardStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The shards that are known to be new: their partitions had no record when this process started.
 * Later, an empty log would not tell this any more, because producers do not wait until the group
 * has divided the partitions and a loop has opened the shard. See ADR 20.
 *
 * <p>Immutable.
 */
public final class NewShards {

  /** Nothing is known to be new. */
  public static final NewShards NONE = new NewShards(Map.of());

  private final Map<ShardStore.Shard, Long> begins;

  private NewShards(Map<ShardStore.Shard, Long> begins) {
    this.begins = Map.copyOf(begins);
  }

  /** These shards, with the offset at which each begins. */
  static NewShards of(Map<ShardStore.Shard, Long> begins) {
    return new NewShards(begins);
  }

  /**
   * Looks at what Kafka has now; to be called before a loop runs. Blocks. This does not ask whether
   * there is a checkpoint: the loop that opens the shard looks for one, and a group that is as new
   * as the intake would have to be waited for.
   *
   * @param wereMissing topics that were missing when this process started: all that they have is
   *     new
   * @throws UnavailableException if Kafka does not answer, or does not know a topic yet
   */
  public static NewShards look(ShardDirectory directory, Collection<String> wereMissing)
      throws UnavailableException, InterruptedException {
    // The ids of the topics before the offsets: if a topic is created anew in between, these ids
    // belong to no shard that exists.
    List<ShardStore.Shard> shards = directory.keys();
    List<ShardId> asked =
        shards.stream()
            .map(ShardStore.Shard::id)
            .filter(id -> !wereMissing.contains(id.topic()))
            .toList();
    Map<ShardId, Long> starts = asked.isEmpty() ? Map.of() : directory.starts(asked);
    Map<ShardId, Long> ends = asked.isEmpty() ? Map.of() : directory.ends(asked);
    Map<ShardStore.Shard, Long> begins = new HashMap<>();
    for (ShardStore.Shard shard : shards) {
      if (wereMissing.contains(shard.id().topic())) {
        begins.put(shard, 0L);
      } else {
        Long end = ends.get(shard.id());
        if (end != null && end.equals(starts.get(shard.id()))) {
          begins.put(shard, end);
        }
      }
    }
    return new NewShards(begins);
  }

  /** The intake offset at which this shard begins, if it is known to be new. */
  public OptionalLong begin(ShardStore.Shard shard) {
    Long begin = begins.get(shard);
    return begin == null ? OptionalLong.empty() : OptionalLong.of(begin);
  }
}
