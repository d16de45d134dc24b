package io.delaybridge.bench.speed.lab;

import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.shard.Checkpoint;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** A gauge of the progress that a bridge has committed for the laps of its later topic. */
public final class LapGauge {

  private static final long ASK_EVERY_MS = 20;

  private final Admin admin;
  private final Lane lane;
  private final int partitions;

  /** Creates a gauge of the bridge of this lane, which is a group of its own. */
  public LapGauge(Admin admin, Lane lane, int partitions) {
    this.admin = admin;
    this.lane = lane;
    this.partitions = partitions;
  }

  /** Returns the sum of the end offsets of the later topic, with transaction markers. */
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

  /** Returns the sum of the offsets up to which copies are judged. */
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

  /**
   * Waits until everything up to this {@link #ends} is judged; the span is from the first observed
   * growth to the last.
   */
  public Span awaitJudged(long end, long count, Duration limit) {
    // The last offset of each partition may be a transaction marker, which only the next lap
    // passes.
    long until = end - partitions;
    Growth seen = Growth.await(this::judged, until, ASK_EVERY_MS, limit, "judged");
    long before = count * (seen.first() - seen.begin()) / Math.max(1, until - seen.begin());
    return new Span(count - before + 1, seen.firstMs(), seen.lastMs());
  }
}
