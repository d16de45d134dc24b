package io.delaybridge.admin.limits;

import io.delaybridge.admin.Problem;
import io.delaybridge.admin.Ticker;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.store.PendingView.Summary;
import io.delaybridge.store.ShardStore;
import io.dropwizard.lifecycle.Managed;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response.Status;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the limits of each intake. The number of pending messages is looked up every two seconds
 * and counted on from there. A rate is what one second of record timestamps may hold; each instance
 * allows the share of the partitions that it has. It goes by timestamps so that a backlog that is
 * read at once after an outage is judged as it was written.
 */
public final class IntakeLimits implements Managed {

  private static final Logger LOG = LoggerFactory.getLogger(IntakeLimits.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
  private static final int SECONDS = 4096;

  /** What a message exceeds. */
  enum Limit {
    VALUE,
    PENDING,
    RATE
  }

  /** The limits of one intake; 0 stands for no limit. Bytes, messages, messages per second. */
  public record Limits(int largestValue, int pending, int rate) {}

  private final Map<String, Limits> limits;
  private final Supplier<List<Summary>> shards;
  private final Supplier<List<LoopStatus>> loops;
  private final InstantSource clock;
  private final Ticker ticker = new Ticker("delay-limits", LOOK_EVERY, this::look);

  // Guarded by this.
  private final Map<String, Long> pending = new HashMap<>();

  /** Offsets of the messages that were read and may be missing from what was seen; rising. */
  private final Map<ShardId, Deque<Long>> unseen = new HashMap<>();

  /** How many of an intake went out since the look began. */
  private final Map<String, Long> gone = new HashMap<>();

  private final Map<String, Long> partitions = new HashMap<>();
  private final Map<String, Set<ShardId>> here = new HashMap<>();
  private final Map<String, Seconds> read = new HashMap<>();
  private final Map<String, Seconds> called = new HashMap<>();

  /**
   * @param limits by intake, of those that have any
   * @param shards tells the present state of the shards of these intakes
   * @param loops tells which of them are in this process
   */
  public IntakeLimits(
      Map<String, Limits> limits,
      Supplier<List<Summary>> shards,
      Supplier<List<LoopStatus>> loops,
      InstantSource clock) {
    this.limits = Map.copyOf(limits);
    this.shards = shards;
    this.loops = loops;
    this.clock = clock;
  }

  @Override
  public void start() {
    if (!limits.isEmpty()) {
      ticker.start();
    }
  }

  @Override
  public void stop() {
    ticker.stop();
  }

  /** Looks once. */
  void look() {
    begin();
    try {
      see(shards.get());
    } catch (WebApplicationException e) {
      LOG.debug("The number of pending messages is not known: {}", e.getMessage());
      forget();
    } catch (RuntimeException | Error e) {
      forget();
      throw e;
    }
  }

  private synchronized void begin() {
    gone.clear();
  }

  /**
   * Forgets the counts. Only a look shows what goes out; without one, counts would do nothing but
   * rise.
   */
  private synchronized void forget() {
    pending.clear();
    unseen.clear();
  }

  /**
   * Takes the present state of all shards of the limited intakes. What was read and was not stored
   * yet is counted besides. What went out meanwhile may be in that state: it is not counted.
   */
  synchronized void see(List<Summary> summaries) {
    partitions.clear();
    pending.clear();
    for (Summary summary : summaries) {
      String intake = summary.shard().topic();
      Deque<Long> read = unseen.computeIfAbsent(summary.shard(), key -> new ArrayDeque<>());
      while (!read.isEmpty() && read.element() < summary.next()) {
        read.remove();
      }
      pending.merge(intake, summary.pending() + read.size(), Long::sum);
      partitions.merge(intake, 1L, Long::sum);
    }
    pending.replaceAll((intake, count) -> Math.max(0, count - gone.getOrDefault(intake, 0L)));
    here.clear();
    LoopStatus.shards(loops.get()).forEach(each -> isHere(each.shard()));
  }

  private void isHere(ShardId shard) {
    here.computeIfAbsent(shard.topic(), topic -> new HashSet<>()).add(shard);
  }

  /** The share of its rate that the intake has here, as far as is known; all if nothing is. */
  private double share(String intake) {
    Set<ShardId> known = here.getOrDefault(intake, Set.of());
    long all = Math.max(known.size(), partitions.getOrDefault(intake, 0L));
    return known.isEmpty() ? 1 : (double) known.size() / all;
  }

  /**
   * Counts one more message that was read from the intake.
   *
   * @param offset of its record; rises within a shard
   * @param bytes of its value
   * @param timestamp of its record, epoch milliseconds
   * @return the limit that it exceeds, as far as is known, or null. What was cancelled or replaced
   *     since the last look is still counted, see {@link #present}
   */
  synchronized @Nullable Limit exceeded(ShardId shard, long offset, int bytes, long timestamp) {
    String intake = shard.topic();
    Limits limit = limits.get(intake);
    if (limit == null) {
      return null;
    }
    if (limit.largestValue() > 0 && bytes > limit.largestValue()) {
      return Limit.VALUE;
    }
    if (here.containsKey(intake)) {
      // The group has given it to this process since the last look.
      isHere(shard);
    }
    if (limit.rate() > 0
        && read.computeIfAbsent(intake, key -> new Seconds()).add(timestamp)
            > Math.max(1, limit.rate() * share(intake))) {
      return Limit.RATE;
    }
    if (limit.pending() == 0) {
      return null;
    }
    unseen.computeIfAbsent(shard, key -> new ArrayDeque<>()).add(offset);
    return pending.merge(intake, 1L, Long::sum) > limit.pending() ? Limit.PENDING : null;
  }

  boolean isDue(DelayedMessage message) {
    return message.due() <= clock.millis();
  }

  /**
   * Looks at what is pending now.
   *
   * @throws WebApplicationException if that is not known
   */
  Present present() {
    return new Present(shards.get());
  }

  /** What was pending at one moment, to tell which messages are too many. */
  final class Present {

    private final Map<ShardId, Long> next = new HashMap<>();
    private final Map<String, Long> tooMany = new HashMap<>();

    private Present(List<Summary> summaries) {
      limits.forEach((intake, limit) -> tooMany.put(intake, -(long) limit.pending()));
      for (Summary summary : summaries) {
        next.put(summary.shard(), summary.next());
        tooMany.merge(summary.shard().topic(), summary.pending(), Long::sum);
      }
    }

    /** Whether the store has what the intake has at this offset. */
    boolean isStored(ShardId shard, long offset) {
      return next.getOrDefault(shard, ShardStore.ABSENT) > offset;
    }

    /** Leaves out messages whose rejection is written and not stored yet. */
    void areRejected(String intake, int messages) {
      tooMany.merge(intake, (long) -messages, Long::sum);
    }

    /** Whether there is one too many; the next call tells whether there is another one. */
    boolean hasOneTooMany(String intake) {
      return tooMany.merge(intake, -1L, Long::sum) >= 0;
    }
  }

  /** Takes note that a pending message is not pending any more. */
  public void left(ShardId shard) {
    if (limits.containsKey(shard.topic())) {
      synchronized (this) {
        pending.computeIfPresent(shard.topic(), (intake, count) -> Math.max(0, count - 1));
        gone.merge(shard.topic(), 1L, Long::sum);
      }
    }
  }

  /**
   * Checks a call that wants to put a message on the intake.
   *
   * @throws Problem 413 or 429 if that is too much
   */
  public synchronized void mustTake(String intake, int bytes) {
    Limits limit = limits.get(intake);
    if (limit == null) {
      return;
    }
    if (limit.largestValue() > 0 && bytes > limit.largestValue()) {
      throw Problem.of(
          Status.REQUEST_ENTITY_TOO_LARGE,
          "QUOTA_EXCEEDED",
          "the value has %d bytes, intake '%s' accepts at most %d"
              .formatted(bytes, intake, limit.largestValue()));
    }
    if (limit.pending() > 0 && pending.getOrDefault(intake, 0L) >= limit.pending()) {
      throw Problem.of(
          Status.TOO_MANY_REQUESTS,
          "QUOTA_EXCEEDED",
          "intake '%s' has reached its limit of %d pending messages"
              .formatted(intake, limit.pending()));
    }
    if (limit.rate() > 0
        && called.computeIfAbsent(intake, key -> new Seconds()).add(clock.millis())
            > limit.rate()) {
      throw Problem.of(
          Status.TOO_MANY_REQUESTS,
          "QUOTA_EXCEEDED",
          "intake '%s' accepts at most %d messages per second".formatted(intake, limit.rate()));
    }
  }

  /** Counts how many fell into each second; keeps only the seconds that were counted last. */
  private static final class Seconds {

    private final Map<Long, Integer> counts =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
            return size() > SECONDS;
          }
        };

    /** Counts one more and returns how many there are. */
    int add(long millis) {
      return counts.merge(Math.floorDiv(millis, 1000L), 1, Integer::sum);
    }
  }
}
