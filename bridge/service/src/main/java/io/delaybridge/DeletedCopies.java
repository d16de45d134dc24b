package io.delaybridge;

import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.shard.Laps;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.shard.ShardDirectory.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Finds later topics that have lost records before these were judged: their far messages are lost.
 */
final class DeletedCopies {

  private final Admin admin;
  private final ShardDirectory directory;

  DeletedCopies(Admin admin, ShardDirectory directory) {
    this.admin = admin;
    this.directory = directory;
  }

  /** Returns one sentence for each partition that has lost something. */
  List<String> faults() throws ExecutionException, InterruptedException {
    // The query would only wait for a topic that is gone. That it is gone is the subject of another
    // rule.
    Set<String> existing = admin.listTopics().names().get();
    List<String> faults = new ArrayList<>();
    try {
      Map<ShardId, Long> judged = new TreeMap<>(ShardId.ORDER);
      directory
          .checkpoints()
          .forEach(
              (shard, checkpoint) -> {
                Laps laps = checkpoint.laps();
                String later = DelayTopics.laterOf(shard.topic());
                if (laps.copies() > 0 && existing.contains(later)) {
                  judged.put(new ShardId(later, shard.partition()), laps.judged());
                }
              });
      Map<ShardId, Long> starts = directory.starts(judged.keySet());
      judged.forEach(
          (partition, next) -> {
            long start = starts.getOrDefault(partition, 0L);
            if (start > next) {
              faults.add(
                  "offsets %d to %d of %s were deleted before their lap ended"
                      .formatted(next, start, partition));
            }
          });
    } catch (UnavailableException e) {
      throw new ExecutionException(e);
    }
    return faults;
  }
}
