package io.delaybridge.shard;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how much one turn may send, of all its shards together. What is sent at once has one
 * time-out. A Kafka that is slow, or has a quota, would let it pass with nothing done, turn after
 * turn.
 *
 * <p>The limit changes as TCP's congestion window does (RFC 5681): one step up while it is used up
 * and Kafka is not slow, half when Kafka is slow, back to one step when Kafka did not finish in
 * time. It grows by steps and not by doubling, because a quota is not felt before its credit of
 * quiet seconds is spent.
 */
final class Allowance {

  private static final Logger LOG = LoggerFactory.getLogger(Allowance.class);
  private static final long FIRST = 1 << 20;
  private static final long STEP = 1 << 16;
  private static final Duration SLOW = Duration.ofSeconds(1);

  private long bytes = FIRST;

  /** Bytes after which a turn sends nothing more. */
  long bytes() {
    return bytes;
  }

  /**
   * Learns from a delivery.
   *
   * @param sent bytes
   * @param done whether Kafka took them
   */
  void learn(long sent, boolean done, Duration took) {
    if (took.compareTo(SLOW) <= 0) {
      if (done && sent >= bytes) {
        bytes += STEP;
      }
      return;
    }
    if (!done) {
      bytes = STEP;
    } else if (sent > STEP) {
      bytes = Math.max(Math.min(bytes, sent) / 2, STEP);
    }
    LOG.debug("Kafka had {} for {} bytes, the next turn sends {} at most", took, sent, bytes);
  }
}
