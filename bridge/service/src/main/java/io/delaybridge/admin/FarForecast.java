package io.delaybridge.admin;

import io.delaybridge.intake.IntakeReader;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.Laps;
import io.delaybridge.shard.ShardDirectory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When far messages are due. Only their copies tell; to read all of those would cost as much as a
 * lap. So some are read, and the others are taken to be like them. If there are few, all are read.
 */
public final class FarForecast {

  private static final int MOST = 5_000;

  private final IntakeReader reader;
  private final ShardDirectory directory;

  /** Takes what reads the copies, and what tells from where on they were not judged yet. */
  public FarForecast(IntakeReader reader, ShardDirectory directory) {
    this.reader = reader;
    this.directory = directory;
  }

  /**
   * A copy that was read.
   *
   * @param due epoch milliseconds
   * @param messages for how many it stands
   */
  record Read(long due, double messages) {}

  /** Copies of all the shards; their {@code messages} add up to what waits there. */
  List<Read> read(List<ShardId> shards) {
    Map<ShardId, Checkpoint> checkpoints = Desk.kafka(directory::checkpoints);
    Map<ShardId, Laps> some = new HashMap<>();
    for (ShardId shard : shards) {
      Checkpoint checkpoint = checkpoints.get(shard);
      if (checkpoint != null && Waiting.far(checkpoint) > 0) {
        some.put(shard, checkpoint.laps());
      }
    }
    List<Read> reads = new ArrayList<>();
    some.forEach((shard, laps) -> reads.addAll(read(shard, laps, MOST / some.size())));
    return reads;
  }

  private List<Read> read(ShardId shard, Laps laps, int most) {
    Source from = new Source(DelayTopics.laterOf(shard.topic()), shard.partition(), laps.judged());
    List<DelayedMessage> copies =
        Desk.kafka(() -> reader.copies(from, most)).stream()
            .filter(copy -> !copy.isMalformed())
            .toList();
    return copies.stream()
        .map(copy -> new Read(copy.key().time(), (double) laps.copies() / copies.size()))
        .toList();
  }
}
