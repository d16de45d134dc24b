package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.shard.ShardDirectory.UnavailableException;
import io.delaybridge.store.ShardStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.KafkaException;

/**
 * The shards that are known to be new: when this process started, their partitions had no record.
 * Later an empty log would not tell any more, since producers do not wait until the group has
 * divided the partitions and a loop has opened the shard. See ADR 20.
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
   * Looks at what Kafka has now; to be called before a loop runs. Blocks. Whether there is a
   * checkpoint is not asked: whoever opens the shard looks for one, and a group that is as new as
   * the intake would have to be waited for.
   *
   * @param created topics that this process has just created: all that they have is new
   * @throws UnavailableException if Kafka does not answer, or does not know a topic yet
   */
  public static NewShards look(
      ShardDirectory directory, IntakeTopics topics, Collection<String> created)
      throws UnavailableException, InterruptedException {
    List<ShardId> shards = directory.shards();
    // Before the offsets: if the topic is created anew meanwhile, they are of no shard that is.
    Map<String, String> ids = ids(shards, topics);
    Map<ShardId, Long> begins = new HashMap<>();
    shards.stream()
        .filter(shard -> created.contains(shard.topic()))
        .forEach(shard -> begins.put(shard, 0L));
    shards.removeAll(begins.keySet());
    if (!shards.isEmpty()) {
      Map<ShardId, Long> starts = directory.starts(shards);
      Map<ShardId, Long> ends = directory.ends(shards);
      ends.entrySet().retainAll(starts.entrySet());
      begins.putAll(ends);
    }
    Map<ShardStore.Shard, Long> found = new HashMap<>();
    begins.forEach(
        (shard, begin) ->
            found.put(new ShardStore.Shard(shard, ids.getOrDefault(shard.topic(), "")), begin));
    return new NewShards(found);
  }

  private static Map<String, String> ids(List<ShardId> shards, IntakeTopics topics)
      throws UnavailableException {
    Map<String, String> ids = new HashMap<>();
    try {
      shards.forEach(shard -> ids.computeIfAbsent(shard.topic(), t -> topics.facts(t).id()));
    } catch (KafkaException e) {
      throw new UnavailableException(e);
    }
    return ids;
  }

  /** The intake offset at which this shard begins, if it is known to be new. */
  OptionalLong begin(ShardStore.Shard shard) {
    Long begin = begins.get(shard);
    return begin == null ? OptionalLong.empty() : OptionalLong.of(begin);
  }
}
