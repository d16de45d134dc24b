package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.shard.ShardDirectory.UnavailableException;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Ingested;
import io.delaybridge.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enters partitions that nobody has read yet, and that have nothing to be read, into the store,
 * before a loop runs. Until then only an empty log tells a new shard from one whose checkpoint and
 * keys were lost, and producers do not wait until the group has divided its partitions.
 *
 * <p>Takes part in no group and may be late by any time: it creates what the store does not have,
 * with a {@code next} below which the log had nothing, and changes nothing that is there.
 */
public final class NewShards {

  private static final Logger LOG = LoggerFactory.getLogger(NewShards.class);

  private final ShardDirectory directory;
  private final IntakeTopics topics;
  private final Supplier<ShardStore> stores;

  /** Takes a maker of stores, which is asked only if there are new shards. */
  public NewShards(ShardDirectory directory, IntakeTopics topics, Supplier<ShardStore> stores) {
    this.directory = directory;
    this.topics = topics;
    this.stores = stores;
  }

  /**
   * Blocks. May be repeated, and done by several instances at once.
   *
   * @throws UnavailableException if Kafka does not answer, or does not know a topic yet
   * @throws StoreException if the store does not answer; some shards may have been entered
   */
  public void enter() throws UnavailableException, InterruptedException {
    Map<ShardId, Long> ends = empty();
    if (ends.isEmpty()) {
      return;
    }
    Map<String, String> ids = new HashMap<>();
    try (ShardStore store = stores.get()) {
      List<CompletableFuture<Ingested>> replies = new ArrayList<>();
      for (Map.Entry<ShardId, Long> end : ends.entrySet()) {
        String topicId =
            ids.computeIfAbsent(end.getKey().topic(), topic -> topics.facts(topic).id());
        ShardStore.Shard shard = new ShardStore.Shard(end.getKey(), topicId);
        replies.add(store.ingest(shard, ShardStore.ABSENT, end.getValue(), List.of()));
      }
      long entered = replies.stream().map(Replies::await).filter(Ingested::applied).count();
      if (entered > 0) {
        LOG.info("{} shards are new: nothing was written to their partitions yet", entered);
      }
    } catch (KafkaException e) {
      throw new UnavailableException(e);
    }
  }

  /** Where the logs end that have neither a checkpoint nor a record. */
  private Map<ShardId, Long> empty() throws UnavailableException, InterruptedException {
    List<ShardId> shards = directory.shards();
    shards.removeAll(directory.checkpoints().keySet());
    if (shards.isEmpty()) {
      return Map.of();
    }
    Map<ShardId, Long> starts = directory.starts(shards);
    Map<ShardId, Long> ends = directory.ends(shards);
    ends.entrySet().retainAll(starts.entrySet());
    return ends;
  }
}
