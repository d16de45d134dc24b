package io.delaybridge.admin.desk;

import io.delaybridge.admin.Problem;
import io.delaybridge.intake.IntakeReader;
import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Replacement;
import io.delaybridge.message.Request;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.schemas.StoredAsk.Verb;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.Clocks;
import io.delaybridge.shard.Laps;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.shard.WatermarkQuestion;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import io.delaybridge.store.PendingView.Said;
import io.delaybridge.store.ShardStore.Named;
import jakarta.ws.rs.core.Response.Status;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages that wait in the later topic. The store knows where the message of an id is, and
 * its content is read there. See ADR 32.
 */
final class FarMessages {

  /** A far message is there, but cannot be found for the time being. */
  static final class SomewhereException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SomewhereException(String message) {
      super(message);
    }
  }

  private static final int KEPT = 500;
  private static final int KEPT_BYTES = 8 << 10;

  /** Copies that were read lately, the most recent last. */
  private final Map<Source, DelayedMessage> lately =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Source, DelayedMessage> eldest) {
              return size() > KEPT;
            }
          });

  private final IntakeReader reader;
  private final PendingView view;
  private final ShardDirectory directory;
  private final Function<String, Reading> readings;
  private final Clocks clocks;

  FarMessages(
      IntakeReader reader,
      PendingView view,
      ShardDirectory directory,
      Function<String, Reading> readings,
      Clocks clocks) {
    this.reader = reader;
    this.view = view;
    this.directory = directory;
    this.readings = readings;
    this.clocks = clocks;
  }

  /** Returns how new records of that shard are read. */
  Reading reading(ShardId shard) {
    return readings.apply(shard.topic());
  }

  /** Whether a message of that shard may be far, or may have been. */
  boolean mayBe(ShardId shard) {
    Checkpoint checkpoint = checkpoint(shard);
    return reading(shard).horizon() > 0
        || (checkpoint != null && (checkpoint.laps().judged() > 0 || Waiting.far(checkpoint) > 0));
  }

  private @Nullable Checkpoint checkpoint(ShardId shard) {
    return Desk.kafka(directory::checkpoints).get(shard);
  }

  /** Epoch milliseconds. */
  long now() {
    return clocks.wall().millis();
  }

  /**
   * The far message with that id from each shard that has one.
   *
   * @throws SomewhereException if there is one that has not arrived there yet, or whose place Redis
   *     has lost
   */
  List<Found> byId(List<ShardId> shards, String id) {
    return byId(shards, id, said -> true);
  }

  private List<Found> byId(List<ShardId> shards, String id, Predicate<Said> which) {
    return Desk.store(() -> view.said(shards, id)).stream()
        .filter(said -> said.isFar() && which.test(said))
        .map(said -> found(said, id))
        .toList();
  }

  private Found found(Said said, String id) {
    return message(said, id)
        .map(message -> new Found(said.shard(), message, 0, true))
        .orElseThrow(
            () ->
                new SomewhereException(
                    "'%s' waits in %s; its offset is known after its next lap, which did not end"
                        .formatted(id, DelayTopics.laterOf(said.shard().topic()))));
  }

  /** Copies do not change, and lists ask for the same ones again and again. */
  private Optional<DelayedMessage> copy(Source source) {
    DelayedMessage known = lately.get(source);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<DelayedMessage> read = Desk.kafka(() -> reader.copy(source));
    read.filter(message -> message.bytes() <= KEPT_BYTES)
        .ifPresent(message -> lately.put(source, message));
    return read;
  }

  private Optional<DelayedMessage> message(Said said, String id) {
    if (said.at() == Named.SOMEWHERE) {
      return Optional.empty();
    }
    ShardId shard = said.shard();
    Source copy = new Source(DelayTopics.laterOf(shard.topic()), shard.partition(), said.at());
    return copy(copy)
        .filter(message -> id.equals(message.id()) && message.origin() == said.origin());
  }

  /**
   * The message that the intake has at that offset, if it is far now, or if it came home under
   * another key than that of its record.
   *
   * @throws Problem 409 if it has no id, unless it is known to have left the later topic: nothing
   *     else tells whether it is there
   */
  List<Found> bySource(ShardId shard, long offset) {
    Source source = shard.source(offset);
    Checkpoint checkpoint = checkpoint(shard);
    Reading reading = reading(shard, offset, checkpoint);
    Request request = Desk.kafka(() -> reader.read(source, reading)).orElse(null);
    DelayedMessage message = message(request);
    if (message == null) {
      return List.of();
    }
    String id = message.id();
    if (id != null) {
      // Its record need not be far: it may have been moved since, or repeat.
      return byId(List.of(shard), id, said -> said.origin() == message.origin());
    }
    if (!message.isFar()) {
      return List.of();
    }
    Optional<Found> home = inStore(shard, new Due(message.due(), message.origin()));
    if (home.isPresent()) {
      return List.of(home.get());
    }
    long returns = message.due() - reading.horizon();
    boolean mayHaveReturned = now() > returns;
    if (mayHaveReturned && hasLeft(shard, message, checkpoint)) {
      return List.of();
    }
    throw Problem.of(
        Status.CONFLICT,
        "FAR_WITHOUT_ID",
        ("%s is due so far ahead that it went to %s, where only messages with an id can be"
                + " found; it returns within one lap after %s%s")
            .formatted(
                source,
                DelayTopics.laterOf(source.topic()),
                Instant.ofEpochMilli(returns),
                mayHaveReturned ? ", and may have been delivered, cancelled or moved since" : ""));
  }

  private Optional<Found> inStore(ShardId shard, Due key) {
    return Desk.store(() -> view.byKey(shard, key));
  }

  /** Returns how the record at that offset is read: as the checkpoint says, like the loop does. */
  private Reading reading(ShardId shard, long offset, @Nullable Checkpoint checkpoint) {
    return checkpoint == null ? reading(shard) : checkpoint.admission().at(offset);
  }

  /**
   * Whether neither the store nor the later topic has the message as a far one. Copies do not tell
   * by their place which message they stand for, but by their age when that is due. Their number
   * decides only where there are none: it may be too low for a while, at least once.
   */
  private boolean hasLeft(ShardId shard, DelayedMessage far, @Nullable Checkpoint checkpoint) {
    if (checkpoint == null || inStore(shard, far.key()).isPresent()) {
      return false;
    }
    Laps laps = checkpoint.laps();
    Source first = new Source(DelayTopics.laterOf(shard.topic()), shard.partition(), laps.judged());
    return Desk.kafka(() -> reader.firstTimestamp(first))
        .map(age -> far.due() <= WatermarkQuestion.far(age, checkpoint.admission()))
        .orElse(laps.copies() == 0);
  }

  /** The message that a record asks for, or null if it asks for something else. */
  static @Nullable DelayedMessage message(@Nullable Request request) {
    if (request instanceof Replacement replacement) {
      return replacement.message();
    }
    return request instanceof DelayedMessage message ? message : null;
  }

  /**
   * The intake offset up to which the store has everything, if the message is far; -1 if it is not.
   */
  long seen(Found found) {
    DelayedMessage message = found.message();
    List<ShardId> shard = List.of(found.shard());
    String id = Objects.requireNonNull(message.id());
    // In this order: what is seen to be far is so above what was read.
    long next = Desk.store(() -> view.summaries(shard, 0)).get(0).next();
    return Desk.store(() -> view.said(shard, id)).stream()
            .anyMatch(said -> said.isFar() && said.origin() == message.origin())
        ? next
        : -1;
  }

  /**
   * Whether somebody may have moved the message between the look and its cancel. If so, it may have
   * been delivered before the cancel was read.
   *
   * @param seen what {@link #seen} has returned
   * @param cancel place of the cancel
   */
  boolean mayBeMoved(String id, long seen, Source cancel) {
    Source from = new Source(cancel.topic(), cancel.partition(), seen);
    ShardId shard = new ShardId(cancel.topic(), cancel.partition());
    Checkpoint checkpoint = checkpoint(shard);
    return seen < cancel.offset()
        && Desk.kafka(
            () ->
                reader.hasAny(
                    from,
                    cancel.offset(),
                    offset -> reading(shard, offset, checkpoint),
                    request -> mayMove(request, id)));
  }

  private static boolean mayMove(Request request, String id) {
    return id.equals(request.id())
        && (request instanceof Replacement
            || (request instanceof Ask ask && ask.stored().verb() != Verb.CANCEL));
  }

  /** Whether the last request for the id is at that intake offset. */
  boolean isSaid(ShardId shard, String id, long offset) {
    return Desk.store(() -> view.said(List.of(shard), id)).stream()
        .anyMatch(said -> said.origin() == offset);
  }
}
