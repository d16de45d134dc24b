package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.StoreException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards of a loop: those of the partitions that the group has assigned to it. A shard lives as
 * long as the assignment; whatever was known of it before counts for nothing when it comes back.
 * The callbacks run inside {@code poll}, on the loop's thread.
 */
final class Assignment implements ConsumerRebalanceListener {

  private static final Logger LOG = LoggerFactory.getLogger(Assignment.class);

  private final Consumer<byte[], byte[]> consumer;
  private final Clocks clocks;
  private final Map<TopicPartition, Shard> shards = new LinkedHashMap<>();

  private java.util.function.Consumer<List<Shard>> beforeLeaving = leaving -> {};
  private boolean lost;

  Assignment(Consumer<byte[], byte[]> consumer, Clocks clocks) {
    this.consumer = consumer;
    this.clocks = clocks;
  }

  /**
   * What to do with open shards that are about to go to another owner, or to be read anew because
   * the store has failed.
   */
  void beforeLeaving(java.util.function.Consumer<List<Shard>> action) {
    beforeLeaving = action;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      shards.put(partition, new Shard(new ShardId(partition.topic(), partition.partition())));
      // Any position will do while it is paused; without one, poll would ask for the committed one.
      consumer.pause(List.of(partition));
      consumer.seek(partition, 0);
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    List<Shard> leaving =
        all().stream()
            .filter(shard -> partitions.contains(shard.partition) && shard.isOpen())
            .toList();
    leaving.forEach(this::awaitSettled);
    beforeLeaving.accept(leaving);
    partitions.forEach(shards::remove);
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    LOG.warn("The group has taken {} away, without a last checkpoint", partitions);
    partitions.forEach(shards::remove);
    lost = true;
  }

  /** True once each time that the group has taken partitions away. */
  boolean hasLost() {
    boolean told = lost;
    lost = false;
    return told;
  }

  Collection<Shard> all() {
    return shards.values();
  }

  List<Shard> open() {
    return shards.values().stream().filter(Shard::isOpen).toList();
  }

  /**
   * An operator wants it delivered from again; the next checkpoint says so.
   *
   * @return false if it is not here
   */
  boolean resume(ShardId id) {
    for (Shard shard : all()) {
      if (shard.id.equals(id)) {
        if (shard.paused || !shard.isOpen()) {
          LOG.info("Shard {} is resumed", id);
          shard.resume();
        }
        return true;
      }
    }
    return false;
  }

  /** Waits for the last settle; that it was lost is harmless, but says that the store is away. */
  void awaitSettled(Shard shard) {
    try {
      Replies.await(shard.settling);
    } catch (StoreException e) {
      // The messages may be gone, and only some of their ids.
      shard.sweep.idsAreLeft();
      failed(shard, e);
    }
  }

  /** Nothing is known any more of where the shard stands: read checkpoint and store again. */
  void close(Shard shard, String why) {
    if (shard.state != ShardStatus.State.CLOSED || !why.equals(shard.problem)) {
      LOG.info("Shard {} is closed: {}", shard.id, why);
    }
    consumer.pause(List.of(shard.partition));
    shard.close(why, clocks.nanoTime());
  }

  /** Only an operator can judge this. Tried again from time to time, should it have been mended. */
  void stop(Shard shard, String why) {
    if (!why.equals(shard.problem)) {
      LOG.error("Shard {} is stopped: {}", shard.id, why);
    }
    consumer.pause(List.of(shard.partition));
    shard.stop(why, clocks.nanoTime());
  }

  /**
   * As {@link #truncated}; it may be of others, and whatever was asked of this one has no answer.
   */
  void truncated(Shard asked, LogTruncationException e) {
    close(asked, String.valueOf(e.getMessage()));
    truncated(e);
  }

  /** Kafka says which intakes have other records than those that were read. */
  void truncated(LogTruncationException e) {
    for (Shard shard : all()) {
      if (e.offsetOutOfRangePartitions().containsKey(shard.partition)) {
        truncated(shard, "the intake differs from what was read: " + e.getMessage());
      }
    }
  }

  /** The intake has lost records that were read; others may have their offsets by now. */
  void truncated(Shard shard, String how) {
    shard.truncated = how + ": it was truncated; restart this bridge when it is whole again";
    stop(shard, shard.truncated);
    // Else Kafka is asked again and again, and answers whoever asks for another partition.
    consumer.seek(shard.partition, 0);
  }

  void failed(Shard shard, StoreException failure) {
    if (failure instanceof StoreException.OtherTopic) {
      stop(shard, String.valueOf(failure.getMessage()));
    } else {
      // What a take has found, opening the shard might not find again.
      shard.damaged |= failure instanceof StoreException.Corrupt;
      if (shard.isOpen()) {
        // At least once, what went out since the last checkpoint would go out again, each time.
        beforeLeaving.accept(List.of(shard));
      }
      close(shard, String.valueOf(failure.getMessage()));
    }
  }

  /**
   * The store has not got everything up to where the loop was: go on from where it is.
   *
   * @param next what the store said, or a negative number if it has nothing
   */
  void follow(Shard shard, long next) {
    if (next < 0) {
      close(shard, "Redis has nothing of it any more");
      return;
    }
    if (next < shard.next && shard.index != Index.NEAR) {
      // What its index of ids knows may have fallen back as well.
      close(shard, "Redis fell back from %d to %d".formatted(shard.next, next));
      return;
    }
    if (next < shard.next) {
      LOG.warn("Shard {}: Redis fell back from {} to {}, fed again", shard.id, shard.next, next);
    }
    shard.next = next;
    // It is polled again.
    shard.waiting = null;
    // Who else fed it may have fed something that is due.
    shard.look = true;
    consumer.seek(shard.partition, next);
  }

  /** Reads the intake of an open shard, unless something must come first. */
  void read(Shard shard) {
    if (shard.state == ShardStatus.State.OPEN && !shard.recall.isRunning()) {
      consumer.resume(List.of(shard.partition));
    }
  }

  /**
   * Pauses or resumes the intake of an open shard; its pump goes on. A shard below its checkpoint
   * is exempt: nothing is taken from it before it is fed, so the pause would never end.
   *
   * @param full why it should pause, or null if it should not
   */
  void pauseIntake(Shard shard, @Nullable String full) {
    boolean paused = shard.state == ShardStatus.State.PAUSED;
    boolean pause = full != null && !shard.isBehindCheckpoint();
    if (pause && !paused) {
      LOG.warn("Shard {} takes nothing in for the time being: {}", shard.id, full);
      consumer.pause(List.of(shard.partition));
      shard.state = ShardStatus.State.PAUSED;
    } else if (!pause && paused) {
      LOG.info("Shard {} takes in again", shard.id);
      shard.state = ShardStatus.State.OPEN;
      read(shard);
    } else if (!pause && full != null && shard.full == null) {
      LOG.error("Shard {} must be fed on although {}: make room", shard.id, full);
    }
    shard.full = full;
  }
}
