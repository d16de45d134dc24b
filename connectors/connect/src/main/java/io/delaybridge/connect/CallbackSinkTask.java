package io.delaybridge.connect;

import io.delaybridge.connect.callback.CallbackConfig;
import io.delaybridge.connect.callback.Callbacks;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.jspecify.annotations.Nullable;

/**
 * Takes records as fast as they can be called. When too many are waiting, it pauses its partitions
 * and is still polled, so it stays in its group however slow the receivers are.
 */
public final class CallbackSinkTask extends SinkTask {

  /** Far below max.poll.interval.ms, and short enough for a stop. */
  private static final Duration WAIT = Duration.ofSeconds(1);

  private static final long PAUSED_POLL_MS = 100;

  private @Nullable Callbacks callbacks;
  private boolean paused;

  @Override
  public String version() {
    return Version.get();
  }

  @Override
  public void start(Map<String, String> config) {
    callbacks = Callbacks.start(new CallbackConfig(config));
  }

  /**
   * Connect pauses again what was paused before a rebalance. There may have been room in between,
   * while the task owned nothing that it could resume.
   */
  @Override
  public void open(Collection<TopicPartition> partitions) {
    if (!paused) {
      context.resume(partitions.toArray(new TopicPartition[0]));
    }
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    running().add(records);
    try {
      adjust(running().awaitRoom(WAIT));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("The task was interrupted while it waited for callbacks.", e);
    }
  }

  private void adjust(boolean room) {
    Set<TopicPartition> assigned = context.assignment();
    TopicPartition[] partitions = assigned.toArray(new TopicPartition[0]);
    if (!room) {
      // Repeated each time, because a rebalance may have added partitions that are not paused.
      context.pause(partitions);
      context.timeout(PAUSED_POLL_MS);
      paused = true;
    } else if (paused) {
      context.resume(partitions);
      paused = false;
    }
  }

  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> read) {
    return running().finished(read);
  }

  @Override
  public void close(Collection<TopicPartition> partitions) {
    if (callbacks != null) {
      callbacks.abandon(partitions);
    }
  }

  @Override
  public void stop() {
    if (callbacks != null) {
      callbacks.close();
      callbacks = null;
    }
  }

  private Callbacks running() {
    if (callbacks == null) {
      throw new ConnectException("The task was not started.");
    }
    return callbacks;
  }
}
