package io.delaybridge.admin.history;

import io.delaybridge.admin.metrics.BridgeMetrics;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.Reason;
import io.delaybridge.shard.LoopListener;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Counts what this process has done since it started, by intake and target, in a form that can be
 * added to that of others. Safe for use by all loops.
 */
public final class Tally implements LoopListener {

  /** Two digits are enough to tell 9.8 ms from 10 ms. */
  public static final int DIGITS = 2;

  // The target of a message that names none, without a default target.
  private static final String NO_TARGET = "(none)";

  // What was never delivered to, and what was delivered to after many others.
  private static final String OTHERS = "(other)";

  private final Map<String, OfIntake> intakes = new ConcurrentHashMap<>();

  private static final class OfIntake {
    final LongAdder ingested = new LongAdder();
    final LongAdder retried = new LongAdder();
    final Map<String, OfTarget> targets = new ConcurrentHashMap<>();

    OfTarget delivered(String target) {
      OfTarget known = targets.get(target);
      return known == null
          ? row(targets.size() < BridgeMetrics.MAX_TARGETS ? target : OTHERS)
          : known;
    }

    /** Keeps no new name: producers may make up any number of targets. */
    OfTarget failed(@Nullable String target) {
      if (target == null) {
        return row(NO_TARGET);
      }
      OfTarget known = targets.get(target);
      return known == null ? row(OTHERS) : known;
    }

    private OfTarget row(String name) {
      return targets.computeIfAbsent(name, key -> new OfTarget());
    }
  }

  private static final class OfTarget {
    final LongAdder failed = new LongAdder();
    final Histogram lateness = new ConcurrentHistogram(DIGITS);

    OfTarget() {
      lateness.setAutoResize(true);
    }
  }

  /**
   * The tally of one intake at one moment.
   *
   * @param targets by topic that something was delivered to; the others share a row
   */
  public record Snapshot(long ingested, long retried, Map<String, Target> targets) {}

  /**
   * @param failed messages for it that became dead letters
   * @param lateness of the delivered ones in milliseconds, an HdrHistogram in its compressed form
   *     and Base64
   */
  public record Target(long failed, String lateness) {}

  /** Returns the counts so far, by intake. */
  public Map<String, Snapshot> snapshot() {
    Map<String, Snapshot> counted = new HashMap<>();
    intakes.forEach((intake, tally) -> counted.put(intake, snapshot(tally)));
    return counted;
  }

  private static Snapshot snapshot(OfIntake intake) {
    Map<String, Target> targets = new HashMap<>();
    intake.targets.forEach(
        (topic, target) ->
            targets.put(topic, new Target(target.failed.sum(), encode(target.lateness.copy()))));
    return new Snapshot(intake.ingested.sum(), intake.retried.sum(), targets);
  }

  private static String encode(Histogram histogram) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    byte[] exact = new byte[length];
    bytes.rewind();
    bytes.get(exact);
    return Base64.getEncoder().encodeToString(exact);
  }

  private OfIntake of(ShardId shard) {
    return intakes.computeIfAbsent(shard.topic(), key -> new OfIntake());
  }

  @Override
  public void ingested(ShardId shard, int records) {
    of(shard).ingested.add(records);
  }

  @Override
  public void delivered(ShardId shard, String target, long lateness) {
    of(shard).delivered(target).lateness.recordValue(Math.max(0, lateness));
  }

  @Override
  public void deadLettered(ShardId shard, @Nullable String target, Reason reason) {
    of(shard).failed(target).failed.increment();
  }

  @Override
  public void retried(ShardId shard, Reason reason) {
    of(shard).retried.increment();
  }
}
