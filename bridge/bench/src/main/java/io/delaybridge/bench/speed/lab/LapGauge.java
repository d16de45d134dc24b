package io.delaybridge.bench.speed.lab;

import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.shard.Checkpoint;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Looks at what a bridge has committed of the laps in its later topic. */
public final class LapGauge {

  private static final long ASK_EVERY_MS = 20;

  private final Admin admin;
  private final Lane lane;
  private final int partitions;

  /** Of the bridge of this lane, which is a group of its own. */
  public LapGauge(Admin admin, Lane lane, int partitions) {
    this.admin = admin;
    this.lane = lane;
    this.partitions = partitions;
  }

  /** Where the partitions of the later topic end, added up; markers of transactions count. */
  public long ends() {
    return Lab.get(
            admin
                .listOffsets(
                    IntStream.range(0, partitions)
                        .mapToObj(i -> new TopicPartition(DelayTopics.laterOf(lane.intake()), i))
                        .collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest())))
                .all())
        .values()
        .stream()
        .mapToLong(each -> each.offset())
        .sum();
  }

  /** Up to where copies were judged, added up likewise. */
  public long judged() {
    Map<TopicPartition, OffsetAndMetadata> committed =
        Lab.get(admin.listConsumerGroupOffsets(lane.name()).partitionsToOffsetAndMetadata());
    long judged = 0;
    for (OffsetAndMetadata each : committed.values()) {
      try {
        judged += Checkpoint.parse(each.metadata()).laps().judged();
      } catch (Checkpoint.UnreadableException e) {
        throw new IllegalStateException(e);
      }
    }
    return judged;
  }

  /** Waits until so much is judged; from the first growth that is seen to the last. */
  public Span awaitJudged(long until, long count, Duration limit) {
    long begin = judged();
    long deadline = System.nanoTime() + limit.toNanos();
    double firstMs = 0;
    long first = begin;
    while (true) {
      long now = judged();
      double ms = System.nanoTime() / 1e6;
      if (first == begin && now > begin) {
        first = now;
        firstMs = ms;
      }
      if (now >= until) {
        long before = count * (first - begin) / Math.max(1, until - begin);
        return new Span(count - before + 1, firstMs, ms);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("only %d of %d are judged".formatted(now, until));
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(ASK_EVERY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
