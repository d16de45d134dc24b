package io.delaybridge.shard;

import io.delaybridge.message.Due;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * The first step of a turn: waits until there is something to do, and reads the records that came.
 *
 * <p>A turn and its transaction cost about the same for one message as for ten. So the step does
 * not act at the first moment it could: due messages wait for the tolerance of their intake, and
 * records that were read wait for half of it, whichever ends first. Everything that is there by
 * then goes into one turn. It is half because a record that the broker gets after it has answered
 * comes with the next answer, and waits again. See ADR 37.
 */
final class PollStep {

  private static final long LOOK_AGAIN = Duration.ofMillis(5).toNanos();

  /** A poll that takes no longer has not waited. */
  private static final long AT_ONCE = Duration.ofMillis(1).toNanos();

  /** This many records need no others to share a turn. */
  private static final int MANY = 100;

  private final Consumer<byte[], byte[]> consumer;
  private final Assignment assignment;
  private final LoopSettings settings;
  private final LapStep laps;
  private final Clocks clocks;

  private long readAt;

  PollStep(
      Consumer<byte[], byte[]> consumer,
      Assignment assignment,
      LoopSettings settings,
      LapStep laps,
      Clocks clocks) {
    this.consumer = consumer;
    this.assignment = assignment;
    this.settings = settings;
    this.laps = laps;
    this.clocks = clocks;
    this.readAt = clocks.nanoTime();
  }

  /**
   * @param longest nanoseconds to wait if there is nothing to do
   * @param backoff nanoseconds in which nothing is to be delivered
   */
  ConsumerRecords<byte[], byte[]> run(long longest, long backoff) {
    long begun = clocks.nanoTime();
    ConsumerRecords<byte[], byte[]> read = read(untilNext(longest, backoff));
    long now = clocks.nanoTime();
    if (isFewAndAll(read)) {
      // Records that were there already have waited while the last turn ran.
      long since = now - begun > AT_ONCE ? now : readAt;
      long rest =
          Math.min(since + tolerance() / 2 - now, untilNext(longest, backoff - (now - begun)));
      if (rest > 0) {
        clocks.pause().accept(rest);
        read = both(read, read(0));
        now = clocks.nanoTime();
      }
    }
    readAt = now;
    return read;
  }

  /**
   * Whether few records were read and the intake has no more. If it has more, nobody waits for
   * others.
   */
  private boolean isFewAndAll(ConsumerRecords<byte[], byte[]> read) {
    return !read.isEmpty()
        && read.count() < MANY
        && read.partitions().stream()
            .allMatch(partition -> consumer.currentLag(partition).orElse(0) == 0);
  }

  /** The smallest tolerance among the intakes that the loop reads, in nanoseconds. */
  private long tolerance() {
    long least = LoopSettings.LONGEST_POLL.toNanos();
    for (Shard shard : assignment.open()) {
      least = Math.min(least, settings.tolerance().applyAsLong(shard.id.topic()) * 1_000_000);
    }
    return least;
  }

  private static ConsumerRecords<byte[], byte[]> both(
      ConsumerRecords<byte[], byte[]> first, ConsumerRecords<byte[], byte[]> second) {
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> all = new HashMap<>();
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
    for (ConsumerRecords<byte[], byte[]> each : List.of(first, second)) {
      for (TopicPartition partition : each.partitions()) {
        all.computeIfAbsent(partition, key -> new ArrayList<>()).addAll(each.records(partition));
      }
      next.putAll(each.nextOffsets());
    }
    return new ConsumerRecords<>(all, next);
  }

  /**
   * Polls. If a shard cannot be read, only that shard is closed or stopped; the others are not
   * affected.
   */
  private ConsumerRecords<byte[], byte[]> read(long wait) {
    try {
      return consumer.poll(Duration.ofNanos(wait));
    } catch (LogTruncationException e) {
      assignment.truncated(e);
    } catch (OffsetOutOfRangeException e) {
      for (Shard shard : assignment.open()) {
        if (e.offsetOutOfRangePartitions().containsKey(shard.partition)) {
          assignment.close(shard, "the intake has no offset " + shard.backlog.next());
        }
      }
    } catch (TopicAuthorizationException e) {
      // About one intake, but thrown in place of all records. Tried again when the shard is opened.
      for (Shard shard : assignment.open()) {
        if (e.unauthorizedTopics().contains(shard.id.topic())) {
          assignment.stop(shard, "the bridge is not authorized to read the intake");
        }
      }
    } catch (KafkaException e) {
      stop(unreadable(e), e);
    }
    return ConsumerRecords.empty();
  }

  private void stop(Shard unreadable, KafkaException why) {
    assignment.stop(
        unreadable,
        "the intake cannot be read at offset %d: %s; repair it, then restart this bridge"
            .formatted(consumer.position(unreadable.partition), why.getMessage()));
  }

  /**
   * Returns the shard that cannot be read. For bytes that it cannot read, the consumer throws the
   * plain class and names the partition in the text only. All other failures of a poll have a class
   * of their own.
   *
   * @throws KafkaException as given, if it is not about a single shard
   */
  private Shard unreadable(KafkaException e) {
    if (e.getClass() == KafkaException.class) {
      for (Shard shard : assignment.open()) {
        Pattern named =
            Pattern.compile(
                "(?<![\\w.-])" + Pattern.quote(shard.partition.toString()) + "(?![\\w-])");
        if (named.matcher(String.valueOf(e.getMessage())).find()) {
          return shard;
        }
      }
    }
    throw e;
  }

  private long untilNext(long longest, long backoff) {
    long nanoTime = clocks.nanoTime();
    long now = clocks.now();
    boolean ahead = clocks.isAhead();
    long wait = longest;
    for (Shard shard : assignment.all()) {
      wait = Math.min(wait, untilNext(shard, ahead, now, nanoTime, backoff));
    }
    return Math.max(0, wait);
  }

  private long untilNext(Shard shard, boolean ahead, long now, long nanoTime, long backoff) {
    if (!shard.isOpen()) {
      return shard.phase.untilAcquire(nanoTime);
    }
    long wait = LoopSettings.LONGEST_POLL.toNanos();
    if (shard.phase.isHeld(nanoTime)) {
      wait = Math.min(wait, shard.phase.untilReleased(nanoTime));
    } else if (shard.backlog.isToBeAsked() && !shard.awaitsRecall(now)) {
      wait = LOOK_AGAIN;
    }
    wait = Math.min(wait, laps.untilNext(shard, now) * 1_000_000);
    boolean waits =
        shard.isBehindCheckpoint()
            || shard.isStuck(nanoTime)
            || ((ahead || shard.takesAsksOnly(nanoTime))
                && shard.backlog.first().time() > Due.ASKED);
    long untilDue = shard.backlog.first().time() - now;
    if (!waits && untilDue < LoopSettings.LONGEST_POLL.toMillis()) {
      long tolerance = settings.tolerance().applyAsLong(shard.id.topic());
      wait = Math.min(wait, Math.max(0, untilDue + tolerance) * 1_000_000);
    }
    return Math.max(wait, backoff);
  }
}
