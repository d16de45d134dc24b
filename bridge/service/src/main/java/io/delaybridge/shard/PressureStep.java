package io.delaybridge.shard;

import io.delaybridge.store.ShardStore;
import io.delaybridge.store.StoreException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Pauses the intake, never the pump, when Redis or a checkpoint is nearly full. A shard that is
 * still below its checkpoint is exempt: nothing could be taken from it, so pausing would last for
 * ever.
 */
final class PressureStep {

  private static final Logger LOG = LoggerFactory.getLogger(PressureStep.class);
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration WHEN_IDLE = Duration.ofSeconds(5);
  private static final double HYSTERESIS = 0.05;
  private static final int MANY_PAIRS = 16;
  private static final String MEMORY = "Redis is nearly full and needs more memory";
  private static final String CHECKPOINT =
      "the checkpoint is nearly full, because each new message is due before the earlier ones";

  private final ShardStore store;
  private final Assignment assignment;
  private final LoopSettings settings;
  private final LoopListener listener;
  private final Clocks clocks;
  private long lastAsked;
  private boolean asked;
  private boolean memoryHigh;

  PressureStep(
      ShardStore store,
      Assignment assignment,
      LoopSettings settings,
      LoopListener listener,
      Clocks clocks) {
    this.store = store;
    this.assignment = assignment;
    this.settings = settings;
    this.listener = listener;
    this.clocks = clocks;
  }

  /**
   * Asks Redis once a second, and less often while nothing comes in that could fill it.
   *
   * @param fed whether this turn has read anything
   */
  void run(boolean fed) {
    Duration every = fed || memoryHigh ? EVERY : WHEN_IDLE;
    if (!asked || clocks.nanoTime() - lastAsked >= every.toNanos()) {
      ask();
    }
    for (Shard shard : assignment.open()) {
      String full = memoryHigh ? MEMORY : null;
      if (shard.progress.frontier().pairs().size() > MANY_PAIRS
          && shard.progress.checkpoint().isNearlyFull()) {
        full = CHECKPOINT;
      }
      assignment.pauseIntake(shard, full);
    }
  }

  private void ask() {
    if (assignment.open().isEmpty()) {
      return;
    }
    asked = true;
    lastAsked = clocks.nanoTime();
    try {
      look(Replies.await(store.memoryUse()));
    } catch (StoreException e) {
      LOG.warn("The memory use of Redis cannot be read, the bridge asks again: {}", e.getMessage());
    }
  }

  private void look(double use) {
    listener.memory(use);
    double mark = settings.memoryHighWater();
    boolean high = use > (memoryHigh ? Math.max(mark - HYSTERESIS, mark / 2) : mark);
    if (high != memoryHigh) {
      LOG.atLevel(high ? Level.WARN : Level.INFO)
          .log(
              "Redis uses {} % of its maxmemory (redis.highWaterMark: {} %): the intake {}",
              Math.round(use * 100),
              Math.round(mark * 100),
              high ? "pauses, delivery continues" : "resumes");
    }
    memoryHigh = high;
  }
}
