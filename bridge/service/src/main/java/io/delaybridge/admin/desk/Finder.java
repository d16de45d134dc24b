package io.delaybridge.admin.desk;

import io.delaybridge.admin.Problem;
import io.delaybridge.intake.IntakeReader;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Source;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import jakarta.ws.rs.core.Response.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds one pending message. A message is reported as not found only once the store has caught up
 * with the log as it was when the question came.
 */
final class Finder {

  private final IntakeReader reader;
  private final PendingView view;
  private final ShardDirectory directory;
  private final Patience patience;
  private final FarMessages far;

  Finder(
      IntakeReader reader,
      PendingView view,
      ShardDirectory directory,
      Patience patience,
      FarMessages far) {
    this.reader = reader;
    this.view = view;
    this.directory = directory;
    this.patience = patience;
    this.far = far;
  }

  /**
   * The one pending message that the reference names in these shards.
   *
   * @param deadline of {@link Patience}
   */
  Found find(Reference reference, List<ShardId> shards, long deadline) {
    Set<Due> keys = Set.of();
    Map<ShardId, Long> ends = null;
    int times = 0;
    while (true) {
      // In this order, so that the look sees whatever is in the store once it has caught up.
      boolean caughtUp = ends != null && hasCaughtUp(shards, ends);
      if (keys.isEmpty()) {
        // Asked again, since a record cannot be read while a transaction before it is open.
        keys = keysOf(reference, shards);
      }
      Optional<Found> found;
      try {
        found = only(reference, look(reference, keys, shards));
      } catch (FarMessages.SomewhereException e) {
        patience.await(deadline, String.valueOf(e.getMessage()));
        continue;
      }
      if (found.isPresent()) {
        return found.get();
      }
      // Before and after the look, and twice: an ask hides a message, and its copy comes after the
      // end.
      boolean stays = ends != null && caughtUp && hasCaughtUp(shards, ends);
      if (stays && ++times == 2) {
        mustBeReadable(reference, shards, keys);
        throw Problem.of(Status.NOT_FOUND, "NOT_FOUND", reference.gone());
      }
      if (stays || ends == null) {
        ends = Desk.kafka(() -> directory.ends(shards));
      } else {
        patience.await(
            deadline, reference + " was not found, but the store has not read the whole intake");
      }
    }
  }

  /**
   * Without its record, nothing tells under which key a message is pending. The intake may have
   * deleted the record of a far message, which lives longer.
   */
  private void mustBeReadable(Reference reference, List<ShardId> shards, Set<Due> keys) {
    if (reference.id() == null
        && keys.isEmpty()
        && !shards.isEmpty()
        && far.mayBe(shards.get(0))
        && reference.offset()
            < Desk.kafka(() -> directory.starts(shards)).getOrDefault(shards.get(0), 0L)) {
      throw Problem.of(
          Status.CONFLICT,
          "RECORD_DELETED",
          "the intake no longer has the record at %s, so nobody can tell by it whether its message"
                  .formatted(reference)
              + " is pending; name it by its id, or by the offset in the list of messages");
    }
  }

  /**
   * The keys that a message named by its source can have. A key is a function of the record and of
   * how it was read: as configured, or in an earlier way that the checkpoint tells.
   */
  private Set<Due> keysOf(Reference reference, List<ShardId> shards) {
    if (reference.id() != null || shards.isEmpty()) {
      return Set.of();
    }
    ShardId shard = shards.get(0);
    Set<Reading> readings = new HashSet<>();
    readings.add(far.reading(shard));
    Checkpoint checkpoint = Desk.kafka(directory::checkpoints).get(shard);
    if (checkpoint != null) {
      readings.add(checkpoint.admission().at(reference.offset()));
    }
    Set<Due> keys = new HashSet<>();
    for (Reading reading : readings) {
      key(shard.source(reference.offset()), reading).ifPresent(keys::add);
    }
    return keys;
  }

  private Optional<Due> key(Source source, Reading reading) {
    return Desk.kafka(() -> reader.near(source, reading))
        .map(FarMessages::message)
        .map(DelayedMessage::key);
  }

  private List<Found> look(Reference reference, Set<Due> keys, List<ShardId> shards) {
    String id = reference.id();
    if (id != null) {
      return named(shards, id);
    }
    List<Found> near =
        Desk.store(
            () ->
                shards.stream()
                    .flatMap(shard -> keys.stream().flatMap(key -> view.byKey(shard, key).stream()))
                    .toList());
    return near.isEmpty() && !shards.isEmpty()
        ? far.bySource(shards.get(0), reference.offset())
        : near;
  }

  private List<Found> named(List<ShardId> shards, String id) {
    List<Found> found = new ArrayList<>(Desk.store(() -> view.byId(shards, id)));
    found.addAll(far.byId(shards, id));
    return found;
  }

  /** Does not wait. A message that is on its way, or far and not placed yet, is not found. */
  Optional<Found> named(ShardId shard, String id) {
    try {
      return named(List.of(shard), id).stream().findFirst();
    } catch (FarMessages.SomewhereException e) {
      return Optional.empty();
    }
  }

  private static Optional<Found> only(Reference reference, List<Found> found) {
    if (found.size() > 1) {
      throw Problem.of(
          Status.CONFLICT,
          "AMBIGUOUS",
          "%s is pending in %d partitions, name one by its source: %s"
              .formatted(
                  reference,
                  found.size(),
                  found.stream().map(each -> each.shard().source(each.offset())).toList()));
    }
    return found.stream().findFirst();
  }

  private boolean hasCaughtUp(List<ShardId> shards, Map<ShardId, Long> ends) {
    return ends != null
        && Desk.store(() -> view.summaries(shards, 0)).stream()
            .allMatch(
                each ->
                    each.asks() == 0
                        && each.next() >= ends.getOrDefault(each.shard(), Long.MAX_VALUE));
  }
}
