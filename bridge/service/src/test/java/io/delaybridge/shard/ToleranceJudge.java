package io.delaybridge.shard;

import static io.delaybridge.shard.Judge.require;
import static io.delaybridge.shard.ToleranceWorld.SHARDS;
import static io.delaybridge.shard.ToleranceWorld.having;

import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Request;
import io.delaybridge.schemas.DelayHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Checks when the loop of a {@link ToleranceWorld} wakes and what it takes, by what Kafka and the
 * store have. See ADR 37.
 */
final class ToleranceJudge implements SimKafka.Watcher {

  static final long MILLISECOND = 1_000_000;
  private static final long NEVER = Long.MAX_VALUE / 2;

  /** What makes a run worth its time. */
  enum Sight {
    WENT_WITH_OTHERS,
    WAITED_FOR_OTHERS,
    SLEPT_WHILE_PAUSED,
    SLEPT_WHILE_HELD,
    OPENED,
    ASKED,
    DUE_WHEN_READ
  }

  private final ToleranceWorld world;

  /** Due times of messages that were read since something was last taken, or that were left. */
  private final Map<TopicPartition, NavigableSet<Long>> dues = new HashMap<>();

  private final Set<Sight> sights = EnumSet.noneOf(Sight.class);
  private Seen seen = new Seen();

  ToleranceJudge(ToleranceWorld world) {
    this.world = world;
    SHARDS.forEach(shard -> dues.put(shard, new TreeSet<>()));
  }

  /** One turn. */
  private static final class Seen {
    // When it began.
    long begun;
    Set<TopicPartition> wereOpen = Set.of();
    Set<TopicPartition> wereHeld = Set.of();
    Set<TopicPartition> wereAsked = Set.of();

    /** How long it may sleep, by shard that can be taken from now or when its hold ends. */
    final Map<TopicPartition, Long> sleepsUntil = new HashMap<>();

    // Since then.
    final List<Duration> timeouts = new ArrayList<>();
    final Map<TopicPartition, List<Request>> read = new HashMap<>();
    final Set<TopicPartition> opened = new HashSet<>();
    final Set<TopicPartition> taken = new HashSet<>();
    long readNanos;
    long woke;
    long wokeNanos;
    long took;

    // When it took, or else when it woke.
    Set<TopicPartition> takeable = Set.of();
    Set<TopicPartition> free = Set.of();
  }

  Set<Sight> sights() {
    return sights;
  }

  // What happens.

  void turnBegins() {
    seen = new Seen();
    seen.begun = world.clock.millis();
    seen.wereOpen = having(world::isOpen);
    seen.wereHeld = having(world::isHeld);
    seen.wereAsked = having(world::isAsked);
    for (TopicPartition shard : having(world::isFed)) {
      long released = seen.begun + world.untilReleased(shard);
      long due = world.isPaused(shard) ? NEVER : world.pending(shard).min().orElse(NEVER);
      long must = world.isAsked(shard) ? released : due + world.tolerance(shard);
      seen.sleepsUntil.put(shard, Math.max(released, must));
    }
  }

  void polled(Duration timeout, ConsumerRecords<byte[], byte[]> records) {
    if (seen.read.isEmpty()) {
      seen.readNanos = world.clock.nanos();
    }
    for (ConsumerRecord<byte[], byte[]> record : records) {
      TopicPartition shard = new TopicPartition(record.topic(), record.partition());
      Request request = RequestParser.parse(record, Reading.latest(RuleTest.HOUR, 0));
      seen.read.computeIfAbsent(shard, key -> new ArrayList<>()).add(request);
      if (request instanceof DelayedMessage message) {
        dues(shard).add(message.key().time());
      }
    }
    seen.timeouts.add(timeout);
    seen.woke = world.clock.millis();
    seen.wokeNanos = world.clock.nanos();
    lookAtShards();
  }

  private void lookAtShards() {
    seen.takeable = having(world::isTakeable);
    seen.free = having(world::isFree);
  }

  void opened(TopicPartition shard) {
    seen.opened.add(shard);
  }

  void taken(TopicPartition shard) {
    if (seen.taken.isEmpty()) {
      seen.took = world.clock.millis();
      lookAtShards();
    }
    seen.taken.add(shard);
  }

  @Override
  public void published(ConsumerRecord<byte[], byte[]> record) {
    require(
        !record.topic().equals(RuleTest.TARGET)
            || record.timestamp() >= Long.parseLong(RuleTest.header(record, DelayHeaders.DUE_AT)),
        "EARLY: %s at %d",
        record.headers(),
        record.timestamp());
  }

  void turnEnded() {
    wokeInTime();
    wokeForSomething();
    leftNothingBehind();
    tookForAReason();
    look();
    for (TopicPartition shard : seen.taken) {
      dues.put(shard, new TreeSet<>(world.pending(shard).boxed().toList()));
    }
  }

  // What is checked.

  /**
   * No message waits for longer than its tolerance, and what was read for no longer than half of
   * one.
   */
  private void wokeInTime() {
    seen.sleepsUntil.forEach(
        (shard, until) ->
            require(
                seen.woke <= Math.max(seen.begun, until),
                "SLEPT: %s had to wake the loop at %d, it woke at %d",
                shard,
                until,
                seen.woke));
    long least = seen.wereOpen.stream().mapToInt(world::tolerance).min().orElse(0);
    require(
        seen.read.isEmpty() || seen.wokeNanos - seen.readNanos <= least * MILLISECOND / 2,
        "SLEPT: what was read waited for more until %d",
        seen.woke);
  }

  /** A turn reads, takes or opens something, unless the loop slept for as long as it ever does. */
  private void wokeForSomething() {
    require(
        !seen.read.isEmpty()
            || !seen.taken.isEmpty()
            || !seen.opened.isEmpty()
            || !having(world::isHeld).containsAll(seen.wereHeld)
            || seen.timeouts.get(0).compareTo(LoopSettings.LONGEST_POLL) >= 0,
        "BUSY: it woke at %d for nothing, after %s",
        seen.woke,
        seen.timeouts);
  }

  /** If it takes, nothing that is due stays; if not, nothing whose tolerance has passed. */
  private void leftNothingBehind() {
    for (TopicPartition shard : having(world::isFree)) {
      require(
          !seen.free.contains(shard) || !world.isAsked(shard), "LEFT: %s has an ask left", shard);
    }
    for (TopicPartition shard : having(world::isTakeable)) {
      long to = seen.taken.isEmpty() ? seen.woke - world.tolerance(shard) : seen.took;
      require(
          !seen.takeable.contains(shard) || world.pending(shard).allMatch(due -> due > to),
          "LEFT: %s has something due by %d, taken were %s",
          shard,
          to,
          seen.taken);
    }
  }

  /** It takes if a tolerance has passed, or if there is something that does not wait. */
  private void tookForAReason() {
    require(
        seen.taken.isEmpty()
            || !seen.opened.isEmpty()
            || hasReadAnAsk()
            || seen.wereAsked.stream().anyMatch(seen.free::contains)
            || SHARDS.stream().anyMatch(this::hasReadWhatIsDue)
            || seen.takeable.stream().anyMatch(this::mayNotWait),
        "TOOK: %s at %d, for no reason",
        seen.taken,
        seen.took);
  }

  private boolean hasReadAnAsk() {
    return seen.read.values().stream().flatMap(List::stream).anyMatch(Ask.class::isInstance);
  }

  /** Whether something was read that need not go through the store. */
  private boolean hasReadWhatIsDue(TopicPartition shard) {
    List<Request> read = seen.read.getOrDefault(shard, List.of());
    return !world.script.limited()
        && seen.takeable.contains(shard)
        && read.stream().allMatch(each -> each instanceof DelayedMessage it && it.id() == null)
        && read.stream().anyMatch(each -> ((DelayedMessage) each).key().time() <= seen.took);
  }

  private boolean mayNotWait(TopicPartition shard) {
    return isDue(shard, seen.took - world.tolerance(shard));
  }

  private boolean isDue(TopicPartition shard, long by) {
    return !dues(shard).headSet(by, true).isEmpty();
  }

  private NavigableSet<Long> dues(TopicPartition shard) {
    return dues.getOrDefault(shard, new TreeSet<>());
  }

  private void look() {
    boolean takes = !seen.taken.isEmpty();
    saw(Sight.OPENED, !seen.opened.isEmpty());
    saw(Sight.ASKED, takes && hasReadAnAsk());
    saw(Sight.DUE_WHEN_READ, takes && SHARDS.stream().anyMatch(this::hasReadWhatIsDue));
    saw(
        Sight.WENT_WITH_OTHERS,
        seen.taken.stream().anyMatch(each -> isDue(each, seen.took) && !mayNotWait(each)));
    saw(
        Sight.WAITED_FOR_OTHERS,
        !takes && seen.takeable.stream().anyMatch(each -> isDue(each, seen.woke)));
    boolean slept = seen.woke - seen.begun >= LoopSettings.LONGEST_POLL.toMillis();
    saw(Sight.SLEPT_WHILE_PAUSED, slept && isAnyDue(world::isPaused));
    saw(Sight.SLEPT_WHILE_HELD, slept && isAnyDue(world::isHeld));
  }

  private boolean isAnyDue(Predicate<TopicPartition> which) {
    return having(which).stream().anyMatch(each -> isDue(each, seen.begun));
  }

  private void saw(Sight sight, boolean really) {
    if (really) {
      sights.add(sight);
    }
  }
}
