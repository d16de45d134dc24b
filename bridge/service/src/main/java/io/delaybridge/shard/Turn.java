package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.store.ShardStore;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass of a loop: poll, store, take, deliver, settle; what is due when it is polled is only
 * stored if it was not delivered. Everything happens on one thread and is finished when the turn
 * ends, so nothing is in flight when partitions come or go.
 */
final class Turn {

  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);
  private static final int LAST_POLLS = 30;
  private static final Duration LAST_POLL = Duration.ofMillis(100);
  private static final long FIRST_BACKOFF = Duration.ofMillis(20).toNanos();
  private static final long LONGEST_BACKOFF = Duration.ofSeconds(2).toNanos();
  private static final long LOOK_AGAIN = Duration.ofMillis(5).toNanos();

  /** One division of the partitions is often followed by the next. */
  private static final long SETTLED_AFTER = Duration.ofSeconds(3).toNanos();

  private static final long LONGEST_POLL_UNTIL_THEN = Duration.ofMillis(20).toNanos();

  private final Consumer<byte[], byte[]> consumer;
  private final Assignment assignment;
  private final Acquire acquire;
  private final StoreStep store;
  private final TakeStep take;
  private final DeliverStep deliver;
  private final Upkeep upkeep;

  private long backoff;
  private long deliverAgainAt;
  private int generation = -1;
  private String member = "";
  private long divided;

  /** What has to be done now and then, beside the steps. */
  private record Upkeep(PressureStep pressure, SweepStep sweep, LapStep laps, Clocks clocks) {}

  private Turn(
      Consumer<byte[], byte[]> consumer,
      Assignment assignment,
      Acquire acquire,
      StoreStep store,
      TakeStep take,
      DeliverStep deliver,
      Upkeep upkeep) {
    this.consumer = consumer;
    this.assignment = assignment;
    this.acquire = acquire;
    this.store = store;
    this.take = take;
    this.deliver = deliver;
    this.upkeep = upkeep;
  }

  /** The turn of a loop with these ports; sees to it that shards leave in good order. */
  static Turn over(
      LoopPorts ports,
      Assignment assignment,
      LoopSettings settings,
      LoopListener listener,
      Clocks clocks) {
    Consumer<byte[], byte[]> consumer = ports.consumer();
    ShardStore store = ports.store();
    Aftermath aftermath =
        new Aftermath(ports.delivery(), ports.dispatch(), store, assignment, listener, clocks);
    Allowance allowance = new Allowance();
    DeliverStep deliver =
        new DeliverStep(
            ports.delivery(), ports.dispatch(), aftermath, listener, settings, allowance, clocks);
    Turn turn =
        new Turn(
            consumer,
            assignment,
            new Acquire(ports, assignment, settings, clocks, listener),
            new StoreStep(consumer, store, assignment, listener, settings, clocks),
            new TakeStep(store, assignment, settings, allowance, clocks),
            deliver,
            new Upkeep(
                new PressureStep(store, assignment, settings, listener, clocks),
                new SweepStep(store, assignment),
                new LapStep(ports, assignment, settings, clocks, listener),
                clocks));
    assignment.beforeLeaving(turn::lastCheckpoints);
    return turn;
  }

  /** Returns the nanoseconds it worked, without the wait for records. */
  long run() {
    ConsumerRecords<byte[], byte[]> polled = poll();
    long begun = upkeep.clocks.nanoTime();
    // Once per turn and before the take: with fresher metadata a transaction could carry what was
    // taken under an assignment that has ended since.
    ConsumerGroupMetadata group = consumer.groupMetadata();
    if (group.generationId() != generation) {
      generation = group.generationId();
      divided = begun;
      // What failed may have failed for the last one.
      backoff = 0;
    }
    assignment.open().forEach(assignment::awaitSettled);
    acquire.run();
    store.run(polled);
    upkeep.pressure.run(!polled.isEmpty());
    upkeep.sweep.run();
    if (backoff == 0 || begun - deliverAgainAt >= 0) {
      boolean out = deliver.run(take.run(), group);
      backoff = out ? 0 : Math.min(Math.max(2 * backoff, FIRST_BACKOFF), LONGEST_BACKOFF);
      deliverAgainAt = upkeep.clocks.nanoTime() + backoff;
    }
    store.rest();
    upkeep.laps.run(group);
    return upkeep.clocks.nanoTime() - begun;
  }

  /**
   * True once each time that the group has taken this loop out. One without partitions only sees
   * that it has another name.
   */
  boolean wasTakenOut() {
    String now = consumer.groupMetadata().memberId();
    boolean renamed = !member.isEmpty() && !now.isEmpty() && !now.equals(member);
    member = now.isEmpty() ? member : now;
    return assignment.hasLost() || renamed;
  }

  /**
   * The last checkpoints, before the loop ends. The group takes none while it divides its
   * partitions, and a consumer that is closed meanwhile is not asked before it loses them. So this
   * waits for the group, but not long: without them nothing is lost, but, at least once, repeated.
   */
  void leave() {
    consumer.pause(assignment.open().stream().map(shard -> shard.partition).toList());
    for (int i = 0; i < LAST_POLLS && uncommitted(assignment.open()) != null; i++) {
      try {
        consumer.poll(LAST_POLL);
      } catch (WakeupException e) {
        LOG.debug("Told to stop, which is what it does", e);
      } catch (LogTruncationException e) {
        assignment.truncated(e);
      }
    }
  }

  private @Nullable Exception uncommitted(List<Shard> shards) {
    return deliver.commitAll(shards, consumer.groupMetadata());
  }

  private void lastCheckpoints(List<Shard> leaving) {
    Exception failure = uncommitted(leaving);
    if (failure != null) {
      LOG.warn(
          "The last checkpoint was not committed: messages may be repeated, a resume be forgotten",
          failure);
    }
  }

  /** True if the group knows this loop. */
  boolean isMember() {
    ConsumerGroupMetadata group = consumer.groupMetadata();
    return !group.memberId().isEmpty() && group.generationId() >= 0;
  }

  private ConsumerRecords<byte[], byte[]> poll() {
    try {
      return consumer.poll(Duration.ofNanos(waitNanos()));
    } catch (LogTruncationException e) {
      assignment.truncated(e);
      return ConsumerRecords.empty();
    } catch (OffsetOutOfRangeException e) {
      for (Shard shard : assignment.open()) {
        if (e.offsetOutOfRangePartitions().containsKey(shard.partition)) {
          assignment.close(shard, "the intake has no offset " + shard.next);
        }
      }
      return ConsumerRecords.empty();
    } catch (TopicAuthorizationException e) {
      // Told of one intake in the place of the records of all. It is tried again when it is opened.
      for (Shard shard : assignment.open()) {
        if (e.unauthorizedTopics().contains(shard.id.topic())) {
          assignment.stop(shard, "the bridge may not read the intake");
        }
      }
      return ConsumerRecords.empty();
    } catch (KafkaException e) {
      stop(unreadable(e), e);
      return ConsumerRecords.empty();
    }
  }

  private void stop(Shard unreadable, KafkaException why) {
    assignment.stop(
        unreadable,
        "the intake cannot be read at offset %d: %s; mend it and restart this bridge"
            .formatted(consumer.position(unreadable.partition), why.getMessage()));
  }

  /**
   * The consumer throws the plain class for bytes that it cannot read, with the partition in the
   * text only; what else goes wrong in a poll has a class of its own.
   *
   * @throws KafkaException as given, if it is of no single shard
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

  /**
   * Until the earliest due time, at most half a second. A poll that gets partitions goes on to its
   * end, and nobody delivers what they have meanwhile; so it is short while partitions are
   * expected.
   */
  private long waitNanos() {
    long nanoTime = upkeep.clocks.nanoTime();
    long now = upkeep.clocks.now();
    boolean settled = generation >= 0 && nanoTime - divided > SETTLED_AFTER;
    long wait = settled ? LoopSettings.LONGEST_POLL.toNanos() : LONGEST_POLL_UNTIL_THEN;
    for (Shard shard : assignment.all()) {
      wait = Math.min(wait, waitNanos(shard, now, nanoTime));
    }
    return Math.max(0, wait);
  }

  private long waitNanos(Shard shard, long now, long nanoTime) {
    if (!shard.isOpen()) {
      return shard.untilAcquire(nanoTime);
    }
    long wait = LoopSettings.LONGEST_POLL.toNanos();
    if (shard.look && !shard.isHeld(nanoTime)) {
      wait = LOOK_AGAIN;
    }
    wait = Math.min(wait, upkeep.laps.untilNext(shard, now) * 1_000_000);
    boolean waits =
        shard.isBehindCheckpoint()
            || (shard.takesAsksOnly(nanoTime) && shard.first.time() > Due.ASKED);
    long untilDue = shard.first.time() - now;
    if (!waits && untilDue < LoopSettings.LONGEST_POLL.toMillis()) {
      wait = Math.min(wait, Math.max(0, untilDue) * 1_000_000);
    }
    return backoff == 0 ? wait : Math.max(wait, deliverAgainAt - nanoTime);
  }
}
