package io.delaybridge.shard;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.SimStore;
import io.delaybridge.store.SimStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One loop with shards of several intakes, each intake with a tolerance of its own. Others write by
 * a script. Time passes while the loop waits, and a little while it writes. A {@link
 * ToleranceJudge} looks at each turn. Times are milliseconds.
 */
final class ToleranceWorld {

  static final List<String> INTAKES = List.of(SimKafka.INTAKE, "intake-b", "intake-c");

  static final List<TopicPartition> SHARDS =
      List.of(
          new TopicPartition(INTAKES.get(0), 0),
          new TopicPartition(INTAKES.get(0), 1),
          new TopicPartition(INTAKES.get(1), 0),
          new TopicPartition(INTAKES.get(2), 0));

  static final int LONGEST_DELAY = 700;

  private static final Duration GROUP_IS_SETTLED = Duration.ofSeconds(4);
  private static final String ID = "x";

  /** What others do to a shard. */
  enum Kind {
    PLAIN,
    WITH_ID,
    CANCEL,
    ASK_TO_CANCEL,
    PAUSE,
    RESUME,
    /** This and the next one hold their shard as long as there is no dead-letter topic. */
    ASK_TO_REJECT,
    MALFORMED,
    /** Creates the dead-letter topic. */
    MEND,
    /** Loses the next take, so that its shard is closed and opened again. */
    LOSE
  }

  /**
   * One action.
   *
   * @param pause since the action before
   * @param delay from the action to the due time of its message
   */
  record Action(int pause, int shard, Kind kind, int delay) {}

  /**
   * Decides everything.
   *
   * @param tolerances by intake
   * @param work how long a write to the store or to Kafka takes
   */
  record Script(
      List<Integer> tolerances,
      boolean exactlyOnce,
      boolean limited,
      int maxPollRecords,
      int work,
      List<Action> actions) {}

  final SimClock clock = new SimClock(RuleTest.START);
  final SimKafka kafka = new SimKafka(clock);
  final SimStore store = new SimStore();
  final Script script;
  private final SimBridge bridge;
  private final ToleranceJudge judge = new ToleranceJudge(this);
  private final NavigableMap<Long, List<Action>> planned = new TreeMap<>();

  /**
   * Starts the loop.
   *
   * @param factor by which the tolerances of the loop are longer than they should be
   */
  ToleranceWorld(Script script, int factor) {
    this.script = script;
    kafka.maxPollRecords(script.maxPollRecords);
    kafka.createTopic(RuleTest.TARGET, 1);
    kafka.createTopic(INTAKES.get(0), 2);
    for (TopicPartition other : SHARDS.subList(2, SHARDS.size())) {
      kafka.createTopic(other.topic(), 1);
      kafka.group().created(other);
    }
    kafka.watch(judge);
    bridge =
        new SimBridge(
            "a",
            new SimBridge.Around(kafka, new Watched(), clock, new Waiting()),
            settings(factor),
            script.exactlyOnce,
            new Busy());
    for (int i = 0; i < SHARDS.size(); i++) {
      bridge.step();
    }
    clock.pass(GROUP_IS_SETTLED);
    bridge.step();
  }

  private LoopSettings settings(int factor) {
    return new LoopSettings(
        topic -> 100,
        1 << 20,
        RuleTest.CHECKPOINT_EVERY,
        topic -> Reading.latest(RuleTest.HOUR, 0),
        IntakeStart.EARLIEST,
        false,
        0.8,
        topic -> script.limited,
        topic -> LoopSettings.Far.OFF,
        topic -> (long) factor * tolerance(topic));
  }

  private int tolerance(String topic) {
    return script.tolerances.get(INTAKES.indexOf(topic));
  }

  /** Throws a {@link Judge.Violation} if the loop wakes or takes when it should not. */
  Set<ToleranceJudge.Sight> run() {
    long at = clock.millis();
    for (Action action : script.actions) {
      at += action.pause;
      planned.computeIfAbsent(at, key -> new ArrayList<>()).add(action);
    }
    long end = at + 2L * LONGEST_DELAY;
    while (clock.millis() < end) {
      judge.turnBegins();
      bridge.step();
      judge.turnEnded();
    }
    return judge.sights();
  }

  // The state of a shard.

  int tolerance(TopicPartition shard) {
    return tolerance(shard.topic());
  }

  /** Returns the due times of its pending messages. */
  LongStream pending(TopicPartition shard) {
    return store.contents(RuleTest.id(shard)).stream()
        .mapToLong(message -> message.key().time())
        .filter(due -> due != Due.ASKED);
  }

  /** Returns whether an ask is pending. */
  boolean isAsked(TopicPartition shard) {
    return store.contents(RuleTest.id(shard)).stream().anyMatch(message -> message.ask() != null);
  }

  static Set<TopicPartition> having(Predicate<TopicPartition> what) {
    return new HashSet<>(SHARDS.stream().filter(what).toList());
  }

  boolean isOpen(TopicPartition shard) {
    return bridge.shard(shard).isOpen();
  }

  boolean isHeld(TopicPartition shard) {
    return bridge.shard(shard).phase.isHeld(clock.nanos());
  }

  long untilReleased(TopicPartition shard) {
    return isHeld(shard)
        ? bridge.shard(shard).phase.untilReleased(clock.nanos()) / ToleranceJudge.MILLISECOND
        : 0;
  }

  boolean isPaused(TopicPartition shard) {
    OffsetAndMetadata committed = kafka.group().committed(shard);
    return committed != null && Judge.parsed(committed.metadata()).paused();
  }

  /** Returns whether the store has all that was decided: until then, nothing is taken. */
  boolean isFed(TopicPartition shard) {
    return isOpen(shard) && !bridge.shard(shard).isBehindCheckpoint();
  }

  /** Returns whether asks may be taken. */
  boolean isFree(TopicPartition shard) {
    return isFed(shard) && !isHeld(shard);
  }

  /** Returns whether messages may be taken. */
  boolean isTakeable(TopicPartition shard) {
    return isFree(shard) && !isPaused(shard);
  }

  // What others do.

  /** Does all that was planned until now. */
  private void act() {
    while (!planned.isEmpty() && planned.firstKey() <= clock.millis()) {
      planned.pollFirstEntry().getValue().forEach(this::act);
    }
  }

  private void act(Action action) {
    TopicPartition shard = SHARDS.get(action.shard);
    String due = Long.toString(clock.millis() + action.delay);
    Map<String, String> message =
        Map.of(DelayHeaders.TARGET_TOPIC, RuleTest.TARGET, DelayHeaders.DELIVER_AT, due);
    switch (action.kind) {
      case PLAIN -> append(shard, message);
      case WITH_ID -> {
        Map<String, String> named = new TreeMap<>(message);
        named.put(DelayHeaders.ID, ID);
        append(shard, named);
      }
      case CANCEL ->
          append(shard, Map.of(DelayHeaders.OP, DelayHeaders.OP_CANCEL, DelayHeaders.ID, ID));
      case ASK_TO_CANCEL -> append(shard, ask(DelayHeaders.OP_CANCEL, shard));
      case ASK_TO_REJECT -> append(shard, ask(DelayHeaders.OP_REJECT, shard));
      case PAUSE -> append(shard, Map.of(DelayHeaders.OP, DelayHeaders.OP_PAUSE));
      case RESUME -> append(shard, Map.of(DelayHeaders.OP, DelayHeaders.OP_RESUME));
      case MALFORMED -> append(shard, Map.of(DelayHeaders.TARGET_TOPIC, RuleTest.TARGET));
      case MEND -> {
        if (!kafka.hasTopic(SimKafka.DEAD)) {
          kafka.createTopic(SimKafka.DEAD, 1);
        }
      }
      case LOSE -> store.lose(Call.TAKE);
    }
  }

  /** An ask that names a message without an id; it comes too late if there is none. */
  private Map<String, String> ask(String op, TopicPartition shard) {
    String key =
        store.contents(RuleTest.id(shard)).stream()
            .filter(message -> message.ask() == null && message.id() == null)
            .map(DelayedMessage::key)
            .map(first -> first.offset() + "/" + first.time())
            .findFirst()
            .orElse("0/1");
    return Map.of(DelayHeaders.OP, op, DelayHeaders.PENDING, key);
  }

  private void append(TopicPartition shard, Map<String, String> headers) {
    kafka.append(Workload.record(shard, headers, false), false);
  }

  // Time, and what the judge learns.

  /** Makes a consumer that waits: until something comes, or for as long as it was told. */
  private final class Waiting extends SimWiring {
    @Override
    SimConsumer consumer(SimKafka sim, String name) {
      return new SimConsumer(sim, name) {
        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
          long left = timeout.toNanos();
          act();
          ConsumerRecords<byte[], byte[]> read = super.poll(timeout);
          while (read.isEmpty() && left > 0) {
            long step = Math.min(left, untilNext());
            clock.advance(Duration.ofNanos(step));
            left -= step;
            act();
            read = super.poll(timeout);
          }
          judge.polled(timeout, read);
          return read;
        }
      };
    }

    private long untilNext() {
      return planned.isEmpty()
          ? Long.MAX_VALUE
          : (planned.firstKey() - clock.millis()) * ToleranceJudge.MILLISECOND;
    }
  }

  /** Lets time pass with each write. */
  private final class Busy implements Meddler {
    private void work() {
      clock.advance(Duration.ofMillis(script.work));
    }

    @Override
    public Fate before(Call call) {
      if (call == Call.INGEST) {
        work();
      }
      return Fate.TAKES_EFFECT;
    }

    @Override
    public SimDelivery.@Nullable Fault beforeDelivery() {
      work();
      return null;
    }
  }

  private final class Watched extends PassingStore {
    Watched() {
      super(store);
    }

    @Override
    public CompletableFuture<Opened> open(Shard shard) {
      judge.opened(partition(shard));
      return super.open(shard);
    }

    @Override
    public CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes) {
      judge.taken(partition(shard));
      return super.take(shard, now, maxCount, maxBytes);
    }

    private static TopicPartition partition(Shard shard) {
      return new TopicPartition(shard.id().topic(), shard.id().partition());
    }
  }
}
