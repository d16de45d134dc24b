package io.delaybridge.admin.desk;

import io.delaybridge.admin.Caller;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.ShardDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Stops and starts delivery, for the API and for the tasks on the admin port. */
public final class Pauses {

  private final Desk desk;
  private final ShardDirectory directory;
  private final Predicate<ShardId> resumeHere;

  /**
   * Takes the desk to reach the owners, and the directory of their checkpoints.
   *
   * @param resumeHere resumes a shard if this process has it
   */
  public Pauses(Desk desk, ShardDirectory directory, Predicate<ShardId> resumeHere) {
    this.desk = desk;
    this.directory = directory;
    this.resumeHere = resumeHere;
  }

  /** The shards that the caller may see, of one intake or of all for null. */
  public List<ShardId> shards(Caller caller, @Nullable String intake) {
    return desk.shards(caller, intake);
  }

  /** Those of these shards that are paused. */
  public List<ShardId> paused(List<ShardId> shards) {
    Map<ShardId, Checkpoint> checkpoints = Desk.kafka(directory::checkpoints);
    return shards.stream()
        .filter(shard -> checkpoints.containsKey(shard) && checkpoints.get(shard).paused())
        .toList();
  }

  /**
   * Stops or starts delivery of some shards. Those of this process resume at once, without their
   * ask, which may be behind much that a full Redis has no room for. The ask is still written,
   * because an ask to pause that nobody has read yet may come before it.
   *
   * @param shards those to tell
   * @param op {@link DelayHeaders#OP_PAUSE} or {@link DelayHeaders#OP_RESUME}
   * @param shown those that the answer is about
   * @return the ones of these that are paused then. The checkpoints of those that were told may not
   *     show it yet: Kafka ends a transaction a little after its commit has returned
   */
  public List<ShardId> tell(List<ShardId> shards, String op, List<ShardId> shown) {
    boolean pause = op.equals(DelayHeaders.OP_PAUSE);
    List<ShardId> elsewhere = pause ? shards : shards.stream().filter(resumeHere.negate()).toList();
    desk.tell(shards, op, elsewhere);
    List<ShardId> paused = new ArrayList<>(paused(shown));
    paused.removeAll(shards);
    if (pause) {
      paused.addAll(shards);
    }
    return paused;
  }
}
