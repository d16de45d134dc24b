package io.delaybridge.admin.desk;

import io.delaybridge.message.ShardId;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.Laps;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Summary;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts messages that wait: those in the store, and the far ones, which the checkpoints count. A
 * message that comes home between the two questions is counted twice, or not at all, and so is one
 * that leaves: the store has it until a moment after the checkpoint that counts its copy. One that
 * was cancelled while it was far is counted until its lap ends.
 */
public final class Waiting {

  private final PendingView view;
  private final ShardDirectory directory;
  private final InstantSource clock;

  /** Takes what knows the store, and what knows the checkpoints. */
  public Waiting(PendingView view, ShardDirectory directory, InstantSource clock) {
    this.view = view;
    this.directory = directory;
    this.clock = clock;
  }

  /** A summary of each shard now; the far messages are among the pending ones. */
  public List<Summary> summaries(List<ShardId> shards) {
    Map<ShardId, Checkpoint> checkpoints = Desk.kafka(directory::checkpoints);
    return Desk.store(() -> view.summaries(shards, clock.millis())).stream()
        .map(summary -> with(summary, far(checkpoints.get(summary.shard()))))
        .toList();
  }

  /** The laps of each of the shards that has far messages. */
  public Map<ShardId, Laps> later(Collection<ShardId> shards) {
    Map<ShardId, Checkpoint> checkpoints = Desk.kafka(directory::checkpoints);
    Map<ShardId, Laps> later = new HashMap<>();
    for (ShardId shard : shards) {
      Checkpoint checkpoint = checkpoints.get(shard);
      if (checkpoint != null && far(checkpoint) > 0) {
        later.put(shard, checkpoint.laps());
      }
    }
    return later;
  }

  private static Summary with(Summary stored, long far) {
    return new Summary(
        stored.shard(),
        stored.next(),
        stored.asks(),
        stored.pending() + far,
        stored.overdue(),
        stored.nextDue());
  }

  /** How many messages of a shard are far. */
  public static long far(@Nullable Checkpoint checkpoint) {
    return checkpoint == null ? 0 : checkpoint.laps().copies();
  }
}
