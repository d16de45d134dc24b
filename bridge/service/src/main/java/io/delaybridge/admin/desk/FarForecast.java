package io.delaybridge.admin.desk;

import io.delaybridge.intake.IntakeReader;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.shard.Laps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Estimates when far messages are due. Only their copies tell, and reading all of those would cost
 * as much as a lap. So some are read, and the others are taken to be like them. If there are few,
 * all are read.
 */
public final class FarForecast {

  private static final int MOST = 5_000;
  private static final long MALFORMED = Long.MIN_VALUE;

  private final IntakeReader reader;

  /** Takes the reader of the copies. */
  public FarForecast(IntakeReader reader) {
    this.reader = reader;
  }

  /**
   * A copy that was read.
   *
   * @param due epoch milliseconds
   * @param messages how many messages it stands for
   */
  public record Read(long due, double messages) {}

  /** Copies of all these shards; their {@code messages} add up to what waits there. */
  public List<Read> read(Map<ShardId, Laps> later) {
    List<Read> reads = new ArrayList<>();
    later.forEach(
        (shard, laps) -> reads.addAll(read(shard, laps, Math.max(1, MOST / later.size()))));
    return reads;
  }

  private List<Read> read(ShardId shard, Laps laps, int most) {
    Source from = new Source(DelayTopics.laterOf(shard.topic()), shard.partition(), laps.judged());
    List<Long> dues =
        Desk.kafka(
                () ->
                    reader.copies(
                        from, most, copy -> copy.isMalformed() ? MALFORMED : copy.key().time()))
            .stream()
            .filter(due -> due != MALFORMED)
            .toList();
    return dues.stream().map(due -> new Read(due, (double) laps.copies() / dues.size())).toList();
  }
}
