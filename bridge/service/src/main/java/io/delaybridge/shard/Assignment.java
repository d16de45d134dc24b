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
 * Holds the shards of a loop: those of the partitions that the group has assigned to it. A shard
 * lives as long as the assignment; when it comes back, nothing that was known of it before counts.
 * The callbacks run inside {@code poll}, on the loop's thread.
 */
final class Assignment implements ConsumerRebalanceListener {

  private static final Logger LOG = LoggerFactory.getLogger(Assignment.class);

  private final Consumer<byte[], byte[]> consumer;
  private final Clocks clocks;
  private final Map<TopicPartition, Shard> shards = new LinkedHashMap<>();

  private java.util.function.Consumer<List<Shard>> beforeLeaving = leaving -> {};
  private boolean lost;
  private boolean handsOver;

  Assignment(Consumer<byte[], byte[]> consumer, Clocks clocks) {
    this.consumer = consumer;
    this.clocks = clocks;
  }

  /**
   * Sets the action for open shards that are about to go to another owner, or to be read anew
   * because the store has failed.
   */
  void beforeLeaving(java.util.function.Consumer<List<Shard>> action) {
    beforeLeaving = action;
  }

  /**
   * Sets whether the loop only waits until its shards have gone to others. If so, the poll that has
   * taken the last one throws a {@link HandedOverException}.
   */
  void handsOver(boolean only) {
    handsOver = only;
  }

  /**
   * Called once per division, after {@link #onPartitionsRevoked}, even if no partition was added.
   * Only then has the consumer given the revoked partitions up.
   */
  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      shards.put(partition, new Shard(new ShardId(partition.topic(), partition.partition())));
      // Any position will do while it is paused; without one, poll asks for the committed one.
      consumer.pause(List.of(partition));
      consumer.seek(partition, 0);
    }
    if (handsOver && shards.isEmpty()) {
      throw new HandedOverException();
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
    LOG.warn(
        "The consumer group took {} away before the last checkpoint; with at_least_once, messages"
            + " may be repeated",
        partitions);
    partitions.forEach(shards::remove);
    lost = true;
  }

  /** Returns true once each time that the group has taken partitions away. */
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
   * Resumes delivery from a shard, as an operator wants it; the next checkpoint says so.
   *
   * @return false if the shard is not here
   */
  boolean resume(ShardId id) {
    for (Shard shard : all()) {
      if (shard.id.equals(id)) {
        if (shard.progress.isPaused() || !shard.isOpen()) {
          LOG.info("Shard {} is resumed", id);
          shard.resume();
        }
        return true;
      }
    }
    return false;
  }

  /** Waits for the last settle. A lost settle is harmless, but it shows that the store is away. */
  void awaitSettled(Shard shard) {
    try {
      Replies.await(shard.settling);
    } catch (StoreException e) {
      // The messages may be gone, and only some of their ids.
      shard.sweep.idsAreLeft();
      failed(shard, e);
    }
  }

  /** Closes a shard when its position is no longer known: checkpoint and store are read again. */
  void close(Shard shard, String why) {
    if (shard.phase.close(why, clocks.nanoTime())) {
      LOG.warn("Shard {} is closed and will be opened again: {}", shard.id, why);
    }
    consumer.pause(List.of(shard.partition));
    shard.backlog.close();
  }

  /**
   * Stops a shard, because only an operator can judge its state. It is tried again from time to
   * time, in case it was mended.
   */
  void stop(Shard shard, String why) {
    if (shard.phase.stop(why, clocks.nanoTime())) {
      LOG.error("Shard {} is stopped: {}", shard.id, why);
    }
    consumer.pause(List.of(shard.partition));
    shard.backlog.close();
  }

  /**
   * As {@link #truncated}. The exception may be about other shards, and the question about this one
   * has no answer.
   */
  void truncated(Shard asked, LogTruncationException e) {
    close(asked, String.valueOf(e.getMessage()));
    truncated(e);
  }

  /**
   * Stops the shards whose intakes, as Kafka says, have other records than those that were read.
   */
  void truncated(LogTruncationException e) {
    for (Shard shard : all()) {
      if (e.offsetOutOfRangePartitions().containsKey(shard.partition)) {
        truncated(shard, "the intake differs from what was read: " + e.getMessage());
      }
    }
  }

  /**
   * Stops a shard whose intake has lost records that were read; others may have their offsets by
   * now.
   */
  void truncated(Shard shard, String how) {
    String why = how + "; it was truncated: restore its records, then restart this bridge";
    shard.phase.truncated(why);
    stop(shard, why);
    // Else Kafka is asked again and again, and whoever asks for another partition gets the answer.
    consumer.seek(shard.partition, 0);
  }

  void failed(Shard shard, StoreException failure) {
    if (failure instanceof StoreException.OtherTopic) {
      stop(shard, String.valueOf(failure.getMessage()));
    } else {
      // Opening the shard might not find again what a take has found.
      if (failure instanceof StoreException.Corrupt) {
        shard.phase.damaged();
      }
      if (shard.isOpen()) {
        // With at least once, all that went out since the last checkpoint would go out each time.
        beforeLeaving.accept(List.of(shard));
      }
      close(shard, String.valueOf(failure.getMessage()));
    }
  }

  /**
   * Goes on from where the store is, because the store does not have everything up to where the
   * loop was.
   *
   * @param next what the store said, or a negative number if it has nothing
   */
  void follow(Shard shard, long next) {
    if (next < 0) {
      close(shard, "Redis has lost its data");
      return;
    }
    if (shard.recall.isRunning()) {
      // What is to be recalled was found for another state of the store.
      close(shard, "Redis was put back while the shard was opened");
      return;
    }
    long before = shard.backlog.next();
    if (next < before && shard.index != Index.NEAR) {
      // Its index of ids may have fallen back as well.
      close(shard, "Redis fell back from offset %d to %d".formatted(before, next));
      return;
    }
    if (next < before) {
      LOG.warn(
          "Shard {}: Redis fell back from offset {} to {}; the intake is read again from there",
          shard.id,
          before,
          next);
    }
    shard.backlog.follow(next);
    consumer.seek(shard.partition, next);
  }

  /** Reads the intake of an open shard, unless something must come first. */
  void read(Shard shard) {
    if (shard.phase.isRead() && !shard.recall.isRunning()) {
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
    boolean wasRead = shard.phase.isRead();
    boolean wasFull = shard.phase.full() != null;
    shard.phase.intake(full, !shard.isBehindCheckpoint());
    boolean isRead = shard.phase.isRead();
    if (wasRead && !isRead) {
      LOG.warn("Shard {} pauses its intake, delivery continues: {}", shard.id, full);
      consumer.pause(List.of(shard.partition));
    } else if (!wasRead && isRead) {
      LOG.info("Shard {} resumes its intake", shard.id);
      read(shard);
    } else if (isRead && full != null && !wasFull) {
      LOG.error(
          "Shard {} is behind its checkpoint, so it cannot pause its intake, although {}",
          shard.id,
          full);
    }
  }
}
