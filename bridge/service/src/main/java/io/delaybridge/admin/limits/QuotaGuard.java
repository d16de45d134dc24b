package io.delaybridge.admin.limits;

import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.intake.Letter;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.shard.LoopListener;
import io.dropwizard.lifecycle.Managed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns messages that go beyond the limits of their intake into dead letters: it writes an ask to
 * reject the message back to the intake. So the decision is in the log. It is the same whenever the
 * log is read again, although it depends on what else was pending at the time, and no turn waits
 * for it. A limit is therefore soft: messages that come in until the ask is read can exceed it.
 * Before it says that too many are pending, it looks how many really are.
 *
 * <p>A far message leaves before such an ask is read. So it becomes a dead letter in the turn in
 * which it would leave for the later topic.
 */
public final class QuotaGuard implements LoopListener, Managed {

  private static final Logger LOG = LoggerFactory.getLogger(QuotaGuard.class);
  private static final int MOST_WAITING = 100_000;
  private static final int BATCH = 10_000;
  private static final long PAUSE_SECONDS = 1;

  /** A look costs Kafka and Redis a few requests. */
  private static final long BETWEEN_LOOKS_MILLIS = 100;

  /** What waits gets this much time when the bridge ends. */
  private static final Duration LAST_PASSES = Duration.ofSeconds(1);

  /** If the producer gives no answer at all by then, its own thread has died. */
  private static final long LONGEST_SECONDS = 60;

  private record Excess(ShardId shard, Due key, @Nullable String id, IntakeLimits.Limit limit) {}

  /** Wakes the thread, so that it notices the end. */
  private static final Excess END =
      new Excess(new ShardId("", 0), Due.NEVER, null, IntakeLimits.Limit.RATE);

  private final IntakeLimits limits;
  private final IntakeWriter writer;
  private final Duration lastPasses;
  private final BlockingQueue<Excess> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final LongAdder tooMany = new LongAdder();
  private final Thread thread = new Thread(this::run, "delay-quota");
  private volatile boolean ending;

  /** How many the thread has taken from what waits. */
  private volatile int underWay;

  // Used by the thread alone.

  /** Those that the store does not have yet, so that nobody can tell whether they are too many. */
  private final List<Excess> early = new ArrayList<>();

  /** Offsets of rejections that the store may not have yet. */
  private final Map<ShardId, List<Long>> written = new HashMap<>();

  /** Takes what knows the limits. */
  public QuotaGuard(IntakeLimits limits, IntakeWriter writer) {
    this(limits, writer, LAST_PASSES);
  }

  QuotaGuard(IntakeLimits limits, IntakeWriter writer, Duration lastPasses) {
    this.limits = limits;
    this.writer = writer;
    this.lastPasses = lastPasses;
    thread.setDaemon(true);
  }

  @Override
  public void start() {
    thread.start();
  }

  /** Rejects what waits, for a moment. What a loop finds after that is not rejected. */
  @Override
  public void stop() throws InterruptedException {
    ending = true;
    // If there is no room for it, the thread does not sleep either.
    boolean unused = waiting.offer(END);
    thread.join(lastPasses.toMillis());
    if (thread.isAlive()) {
      LOG.warn(
          "{} messages exceed the limits of their intakes but may be delivered, because the bridge"
              + " ends before they were rejected",
          waiting.size() + underWay);
      thread.interrupt();
    }
  }

  @Override
  public boolean admitted(ShardId shard, DelayedMessage message, long timestamp) {
    byte[] value = message.content().value();
    int bytes = value == null ? 0 : value.length;
    // The next occurrence of a repeating message counts, but only a new message is one too many.
    IntakeLimits.Limit limit = limits.exceeded(shard, message.offset(), bytes, timestamp);
    if (limit == null || message.isRetry()) {
      return false;
    }
    if (message.isFar() || goesAtOnce(message, limit)) {
      return true;
    }
    if (!waiting.offer(new Excess(shard, message.key(), message.id(), limit))) {
      tooMany.increment();
    }
    return false;
  }

  /**
   * Whether the message goes out in the turn in which it was read, so that a rejection would come
   * too late. If it does not repeat, it is not pending after that.
   */
  private boolean goesAtOnce(DelayedMessage message, IntakeLimits.Limit limit) {
    return limits.isDue(message) && (message.repeats() || limit != IntakeLimits.Limit.PENDING);
  }

  @Override
  public void delivered(ShardId shard, String target, long lateness) {
    limits.left(shard);
  }

  @Override
  public void deadLettered(ShardId shard, @Nullable String target, Reason reason) {
    limits.left(shard);
  }

  @Override
  public void answered(ShardId shard, Verdict verdict) {
    if (verdict == Verdict.CANCELLED) {
      limits.left(shard);
    }
  }

  private void run() {
    while (!ending || !waiting.isEmpty() || !early.isEmpty()) {
      try {
        rejectSome();
      } catch (InterruptedException e) {
        LOG.debug("The bridge ends while messages that exceed their limit are rejected", e);
        return;
      } catch (RuntimeException | Error e) {
        LOG.error("Some messages that exceed their limit were not rejected", e);
      }
    }
  }

  private void rejectSome() throws InterruptedException {
    List<Excess> batch = new ArrayList<>(early);
    early.clear();
    if (batch.isEmpty()) {
      batch.add(waiting.take());
    }
    waiting.drainTo(batch, BATCH);
    batch.remove(END);
    underWay = batch.size();
    boolean looks = batch.stream().anyMatch(each -> each.limit == IntakeLimits.Limit.PENDING);
    List<Excess> failed = send(looks ? confirmed(batch) : batch);
    // Behind the others: another intake may take what is written to it.
    failed.stream().filter(each -> !waiting.offer(each)).forEach(each -> tooMany.increment());
    underWay = early.size();
    long missed = tooMany.sumThenReset();
    if (missed > 0) {
      LOG.error(
          "{} messages exceed the limits of their intakes but will be delivered, because too"
              + " many wait to be rejected",
          missed);
    }
    if (!failed.isEmpty()) {
      TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
    } else if (looks) {
      TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
    }
  }

  /**
   * Leaves out those that are not too many after all, because others were cancelled or replaced,
   * and for now those that are not stored yet. While nobody knows how many are pending, none is too
   * many.
   */
  private List<Excess> confirmed(List<Excess> batch) {
    List<Excess> confirmed = new ArrayList<>();
    try {
      IntakeLimits.Present present = limits.present();
      written.forEach(
          (shard, offsets) -> {
            offsets.removeIf(offset -> present.isStored(shard, offset));
            present.areRejected(shard.topic(), offsets.size());
          });
      // The last ones are too many.
      for (int i = batch.size() - 1; i >= 0; i--) {
        Excess excess = batch.get(i);
        if (excess.limit != IntakeLimits.Limit.PENDING) {
          confirmed.add(excess);
        } else if (!present.isStored(excess.shard, excess.key.offset())) {
          early.add(excess);
        } else if (present.hasOneTooMany(excess.shard.topic())) {
          confirmed.add(excess);
        }
      }
    } catch (RuntimeException e) {
      LOG.debug("The number of pending messages is not known: {}", e.toString());
      batch.stream()
          .filter(each -> each.limit != IntakeLimits.Limit.PENDING)
          .forEach(confirmed::add);
    }
    return confirmed;
  }

  /**
   * Sends asks. Returns what could not be sent; of an intake that fails, all the rest. A second ask
   * for the same message does nothing.
   */
  private List<Excess> send(List<Excess> batch) throws InterruptedException {
    Map<Excess, Future<RecordMetadata>> sent = new LinkedHashMap<>();
    List<Excess> failed = new ArrayList<>();
    Set<String> failing = new HashSet<>();
    Exception cause = null;
    for (Excess excess : batch) {
      if (failing.contains(excess.shard.topic())) {
        failed.add(excess);
        continue;
      }
      try {
        Future<RecordMetadata> ask =
            writer.send(
                Letter.ask(excess.shard, DelayHeaders.OP_REJECT, excess.key, excess.id, Map.of()));
        sent.put(excess, ask);
        // It has waited for as long as a send may; not once more for each message.
        if (ask.isDone()) {
          ask.get();
        }
      } catch (ExecutionException | RuntimeException e) {
        failing.add(excess.shard.topic());
        sent.remove(excess);
        failed.add(excess);
        cause = e;
      }
    }
    long longest = LONGEST_SECONDS;
    for (Map.Entry<Excess, Future<RecordMetadata>> one : sent.entrySet()) {
      try {
        long offset = one.getValue().get(longest, TimeUnit.SECONDS).offset();
        if (one.getKey().limit == IntakeLimits.Limit.PENDING) {
          written.computeIfAbsent(one.getKey().shard, shard -> new ArrayList<>()).add(offset);
        }
      } catch (ExecutionException | TimeoutException e) {
        failed.add(one.getKey());
        cause = e;
        // The others were sent at the same time.
        longest = e instanceof TimeoutException ? 0 : longest;
      }
    }
    if (cause != null) {
      LOG.warn(
          "{} messages exceed their limit; their rejection was not written and is tried again: {}",
          failed.size(),
          cause.toString());
    }
    return failed;
  }
}
