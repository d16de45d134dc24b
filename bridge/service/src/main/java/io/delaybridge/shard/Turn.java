package io.delaybridge.shard;

import io.delaybridge.store.ShardStore;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass of a loop: poll, store, take, deliver, settle. A message that is due when it is polled
 * is stored only if it was not delivered. Everything happens on one thread and is finished when the
 * turn ends, so nothing is in flight when partitions come or go.
 */
final class Turn {

  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);
  private static final int LAST_POLLS = 30;
  private static final Duration LAST_POLL = Duration.ofMillis(100);
  private static final long FIRST_BACKOFF = Duration.ofMillis(20).toNanos();
  private static final long LONGEST_BACKOFF = Duration.ofSeconds(2).toNanos();

  /** One rebalance is often followed by the next. */
  private static final long SETTLED_AFTER = Duration.ofSeconds(3).toNanos();

  private static final long LONGEST_POLL_UNTIL_THEN = Duration.ofMillis(20).toNanos();

  private final Consumer<byte[], byte[]> consumer;
  private final Assignment assignment;
  private final Steps steps;
  private final Upkeep upkeep;

  private long backoff;
  private long deliverAgainAt;
  private int generation = -1;
  private String member = "";
  private long divided;

  private record Steps(
      PollStep poll, Acquire acquire, StoreStep store, TakeStep take, DeliverStep deliver) {}

  /** The work that has to be done now and then, beside the steps. */
  private record Upkeep(PressureStep pressure, SweepStep sweep, LapStep laps, Clocks clocks) {}

  private Turn(
      Consumer<byte[], byte[]> consumer, Assignment assignment, Steps steps, Upkeep upkeep) {
    this.consumer = consumer;
    this.assignment = assignment;
    this.steps = steps;
    this.upkeep = upkeep;
  }

  /**
   * Returns the turn of a loop with these ports, and has the last checkpoints committed before
   * shards leave.
   */
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
        new DeliverStep(ports.delivery(), ports.dispatch(), aftermath, listener, allowance, clocks);
    LapStep laps = new LapStep(ports, assignment, settings, clocks, listener);
    Turn turn =
        new Turn(
            consumer,
            assignment,
            new Steps(
                new PollStep(consumer, assignment, settings, laps, clocks),
                new Acquire(ports, assignment, settings, clocks, listener),
                new StoreStep(consumer, store, assignment, listener, settings, clocks),
                new TakeStep(store, assignment, settings, allowance, clocks),
                deliver),
            new Upkeep(
                new PressureStep(store, assignment, settings, listener, clocks),
                new SweepStep(store, assignment, clocks),
                laps,
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
      // A delivery that failed may have failed because of the last generation.
      backoff = 0;
    }
    assignment.open().forEach(assignment::awaitSettled);
    steps.acquire.run();
    steps.store.run(polled);
    upkeep.pressure.run(!polled.isEmpty());
    upkeep.sweep.run();
    if (backoff == 0 || begun - deliverAgainAt >= 0) {
      boolean out = steps.deliver.run(steps.take.run(), group);
      backoff = out ? 0 : Math.min(Math.max(2 * backoff, FIRST_BACKOFF), LONGEST_BACKOFF);
      deliverAgainAt = upkeep.clocks.nanoTime() + backoff;
    }
    steps.store.rest();
    upkeep.laps.run(group);
    return upkeep.clocks.nanoTime() - begun;
  }

  /**
   * Returns true once each time that the group has taken this loop out. A loop without partitions
   * only sees that its member id has changed.
   */
  boolean wasTakenOut() {
    String now = consumer.groupMetadata().memberId();
    boolean renamed = !member.isEmpty() && !now.isEmpty() && !now.equals(member);
    member = now.isEmpty() ? member : now;
    return assignment.hasLost() || renamed;
  }

  /**
   * Commits the last checkpoints before the loop ends. The group takes none while it divides its
   * partitions, and a consumer that is closed in that time is not asked before it loses them. So
   * this waits for the group, but not long: without the last checkpoints nothing is lost, but with
   * at least once, messages are repeated.
   */
  void leave() {
    consumer.pause(assignment.open().stream().map(shard -> shard.partition).toList());
    for (int i = 0; i < LAST_POLLS && uncommitted(assignment.open()) != null; i++) {
      try {
        consumer.poll(LAST_POLL);
      } catch (LogTruncationException e) {
        assignment.truncated(e);
      }
    }
  }

  private @Nullable Exception uncommitted(List<Shard> shards) {
    return steps.deliver.commitAll(shards, consumer.groupMetadata());
  }

  private void lastCheckpoints(List<Shard> leaving) {
    Exception failure = uncommitted(leaving);
    if (failure != null) {
      LOG.warn(
          "The last checkpoint was not committed; messages may be repeated, and a resume may be lost",
          failure);
    }
  }

  /** True if the group knows this loop. */
  boolean isMember() {
    ConsumerGroupMetadata group = consumer.groupMetadata();
    return !group.memberId().isEmpty() && group.generationId() >= 0;
  }

  /**
   * Polls for at most half a second. A poll that gets partitions runs to its end, and meanwhile
   * nobody delivers the messages of these partitions; so it is short while partitions are expected.
   */
  private ConsumerRecords<byte[], byte[]> poll() {
    long nanoTime = upkeep.clocks.nanoTime();
    boolean settled = generation >= 0 && nanoTime - divided > SETTLED_AFTER;
    return steps.poll.run(
        settled ? LoopSettings.LONGEST_POLL.toNanos() : LONGEST_POLL_UNTIL_THEN,
        backoff == 0 ? 0 : deliverAgainAt - nanoTime);
  }
}
