package io.delaybridge.admin.desk;

import io.delaybridge.admin.Problem;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.intake.Letter;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Said;
import io.delaybridge.store.StoreException;
import jakarta.ws.rs.core.Response.Status;
import java.util.List;

/**
 * Chooses the partition of a message that has an id: the one in which the id is pending, so that
 * the message replaces that one; if there is none, the home of the id. An id may be pending
 * elsewhere, because its intake had fewer partitions before, or because a producer has written it
 * with another key.
 */
final class Placement {

  private final PendingView view;
  private final ShardDirectory directory;

  Placement(PendingView view, ShardDirectory directory) {
    this.view = view;
    this.directory = directory;
  }

  /**
   * Returns the letter with its partition. One that has no id, or has its partition, is returned as
   * it is.
   *
   * @throws Problem 409 if the id is pending in several partitions
   */
  Letter placed(Letter letter) {
    String id = letter.header(DelayHeaders.ID);
    if (id == null || letter.partition() != null) {
      return letter;
    }
    List<ShardId> shards =
        Desk.kafka(directory::shards).stream()
            .filter(shard -> shard.topic().equals(letter.topic()))
            .toList();
    return letter.in(shard(id, shards).partition());
  }

  private ShardId shard(String id, List<ShardId> shards) {
    ShardId home = shards.get(IntakeWriter.partitionOf(id, shards.size()));

    List<ShardId> known;
    try {
      known = knownIn(id, shards);
    } catch (StoreException e) {
      if (Desk.kafka(directory::grown).contains(home.topic())) {
        throw Problem.of(Status.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
      }
      // What the API has scheduled is at home. The intake takes it, whatever has become of Redis.
      return home;
    }
    if (known.size() > 1) {
      throw Problem.of(
          Status.CONFLICT,
          "AMBIGUOUS",
          "'%s' is pending in several partitions: %s; cancel all but one of them"
              .formatted(id, known));
    }
    return known.isEmpty() ? home : known.get(0);
  }

  /**
   * The shards that know the id. Where one of several has no message of it, that was delivered, or
   * is a copy on its way back to the intake; it counts only if it is the only one.
   */
  private List<ShardId> knownIn(String id, List<ShardId> shards) {
    List<Said> said = view.said(shards, id);
    if (said.size() <= 1) {
      return said.stream().map(Said::shard).toList();
    }
    List<ShardId> near = view.byId(shards, id).stream().map(PendingView.Found::shard).toList();
    return said.stream()
        .filter(each -> each.isFar() || near.contains(each.shard()))
        .map(Said::shard)
        .toList();
  }
}
