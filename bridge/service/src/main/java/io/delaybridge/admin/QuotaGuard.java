package io.delaybridge.admin;

import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.intake.IntakeWriter.NotWrittenException;
import io.delaybridge.intake.Letter;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.shard.LoopListener;
import io.dropwizard.lifecycle.Managed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that what goes beyond the limits of its intake becomes a dead letter: it writes an ask
 * to reject the message back to the intake. So the decision is in the log, and is the same whenever
 * the log is read again, although it depends on what else was pending at the time; and no turn
 * waits for it. A limit is therefore soft by what comes in until the ask is read.
 */
public final class QuotaGuard implements LoopListener, Managed {

  private static final Logger LOG = LoggerFactory.getLogger(QuotaGuard.class);
  private static final int MOST_WAITING = 100_000;

  private record Excess(ShardId shard, DelayedMessage message) {}

  private final IntakeLimits limits;
  private final IntakeWriter writer;
  private final BlockingQueue<Excess> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Thread thread = new Thread(this::write, "delay-quota");

  /** Takes what knows the limits. */
  public QuotaGuard(IntakeLimits limits, IntakeWriter writer) {
    this.limits = limits;
    this.writer = writer;
    thread.setDaemon(true);
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void stop() {
    thread.interrupt();
  }

  @Override
  public void admitted(ShardId shard, List<Admitted> messages) {
    for (Admitted one : messages) {
      byte[] value = one.message().content().value();
      int bytes = value == null ? 0 : value.length;
      if (limits.isBeyond(shard, bytes, one.timestamp())
          && !waiting.offer(new Excess(shard, one.message()))) {
        LOG.error("{} is over its limit by more than can be rejected", shard);
      }
    }
  }

  private void write() {
    try {
      while (true) {
        Excess excess = waiting.take();
        try {
          writer.write(letter(excess), Long.MAX_VALUE);
        } catch (NotWrittenException e) {
          LOG.warn("{} is over its limit, tried again: {}", excess.shard, e.getMessage());
          waiting.put(excess);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("Ends with {} messages that are over their limit", waiting.size());
    }
  }

  private static Letter letter(Excess excess) {
    DelayedMessage message = excess.message;
    Map<String, String> headers = new HashMap<>();
    headers.put(DelayHeaders.OP, DelayHeaders.OP_REJECT);
    headers.put(DelayHeaders.PENDING, message.offset() + "/" + message.key().time());
    String id = message.id();
    if (id != null) {
      headers.put(DelayHeaders.ID, id);
    }
    return new Letter(
        excess.shard.topic(), excess.shard.partition(), null, null, Map.copyOf(headers));
  }

  @Override
  public void ingested(ShardId shard, int records) {}

  @Override
  public void delivered(ShardId shard, String target, long lateness) {}

  @Override
  public void deadLettered(ShardId shard, @Nullable String target, Reason reason) {}

  @Override
  public void retried(ShardId shard, Reason reason) {}

  @Override
  public void answered(ShardId shard, Verdict verdict) {}

  @Override
  public void skipped(ShardId shard, int messages) {}

  @Override
  public void turned(String loop, long nanos) {}

  @Override
  public void refed(ShardId shard) {}
}
