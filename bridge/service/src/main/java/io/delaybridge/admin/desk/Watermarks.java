package io.delaybridge.admin.desk;

import io.delaybridge.admin.Problem;
import io.delaybridge.intake.IntakeReader;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.Clocks;
import io.delaybridge.shard.Laps;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.shard.ShardDirectory.Committed;
import io.delaybridge.shard.WatermarkQuestion;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Shard;
import io.delaybridge.store.ShardStore.Taken;
import io.delaybridge.store.StoreException;
import jakarta.ws.rs.core.Response.Status;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells up to when everything that was due is out, for any shard, owned or not. An answer waits
 * until the store and the checkpoint have what was in the log when the question came.
 */
public final class Watermarks {

  private static final int MOST_BYTES = 1 << 20;

  private final ShardDirectory directory;
  private final ShardStore store;
  private final IntakeReader reader;
  private final Clocks clocks;
  private final Patience patience;

  /**
   * @param store is only looked at
   * @param reader reads the later topics
   * @param patience how long to wait for an answer
   */
  public Watermarks(
      ShardDirectory directory,
      ShardStore store,
      IntakeReader reader,
      Clocks clocks,
      Duration patience) {
    this.directory = directory;
    this.store = store;
    this.reader = reader;
    this.clocks = clocks;
    this.patience = new Patience(clocks, patience);
  }

  /**
   * One partition of an intake.
   *
   * @param watermark epoch milliseconds; every message before {@code end} that is due then or
   *     before is out. Null if that cannot be told: what was told before holds
   * @param end offset at which the intake ended when it was asked
   */
  public record Watermark(String intake, int partition, @Nullable Long watermark, long end) {}

  /** The watermark of every shard that is asked for, in order. */
  public List<Watermark> of(Predicate<ShardId> wanted) {
    long deadline = patience.deadline();
    List<Shard> shards =
        Desk.kafka(directory::keys).stream()
            .filter(shard -> wanted.test(shard.id()))
            .sorted(Comparator.comparing(Shard::id, ShardId.ORDER))
            .toList();
    // The checkpoints and the later topics are looked at before all else.
    long at = clocks.wall().millis();
    Map<ShardId, Committed> before = Desk.kafka(directory::committed);
    Map<ShardId, Long> far = far(shards, before);
    Map<Shard, WatermarkQuestion> open = new LinkedHashMap<>();
    for (Shard shard : shards) {
      long sooner = far.getOrDefault(shard.id(), Long.MAX_VALUE);
      open.put(shard, new WatermarkQuestion(at, sooner));
    }
    Map<ShardId, Long> ends = look(open);
    // Otherwise the intake was truncated, and nobody knows what its records are now.
    open.keySet().removeIf(shard -> read(shard, before) > ends.getOrDefault(shard.id(), 0L));
    Map<ShardId, Long> known = answers(open, before);
    while (!open.isEmpty() && patience.await(deadline)) {
      look(open);
      known.putAll(answers(open, Desk.kafka(directory::committed)));
    }
    return shards.stream()
        .map(Shard::id)
        .map(id -> watermark(id, known.get(id), ends.getOrDefault(id, 0L)))
        .toList();
  }

  private static Watermark watermark(ShardId id, @Nullable Long known, long end) {
    return new Watermark(id.topic(), id.partition(), known, end);
  }

  /** Looks at the shards of the open questions, and returns where their logs end after that. */
  private Map<ShardId, Long> look(Map<Shard, WatermarkQuestion> open) {
    Map<Shard, CompletableFuture<Taken>> asked = new LinkedHashMap<>();
    open.keySet().forEach(shard -> asked.put(shard, look(shard)));
    Map<Shard, Taken> seen = new LinkedHashMap<>();
    asked.forEach((shard, reply) -> await(reply).ifPresent(taken -> seen.put(shard, taken)));
    Map<ShardId, Long> ends =
        Desk.kafka(() -> directory.ends(open.keySet().stream().map(Shard::id).toList()));
    open.forEach(
        (shard, question) -> {
          Taken taken = seen.get(shard);
          Long end = ends.get(shard.id());
          if (taken != null && end != null) {
            question.look(taken, end);
          }
        });
    return ends;
  }

  private CompletableFuture<Taken> look(Shard shard) {
    return store.take(shard, Due.ASKED, WatermarkQuestion.MOST_ASKS, MOST_BYTES);
  }

  /** Returns what can be told by now, and removes it from the open questions. */
  private static Map<ShardId, Long> answers(
      Map<Shard, WatermarkQuestion> open, Map<ShardId, Committed> committed) {
    Map<ShardId, Long> known = new HashMap<>();
    open.forEach(
        (shard, question) ->
            question
                .answer(read(shard, committed))
                .ifPresent(watermark -> known.put(shard.id(), watermark)));
    open.keySet().removeIf(shard -> known.containsKey(shard.id()));
    return known;
  }

  private static long read(Shard shard, Map<ShardId, Committed> committed) {
    Committed found = committed.get(shard.id());
    return found == null ? -1 : found.offset();
  }

  /** Returns, for each shard that has far messages, a time after which every one of them is due. */
  private Map<ShardId, Long> far(List<Shard> shards, Map<ShardId, Committed> committed) {
    Map<ShardId, Long> far = new HashMap<>();
    for (Shard shard : shards) {
      Committed found = committed.get(shard.id());
      if (found != null && found.checkpoint().laps().copies() > 0) {
        Checkpoint checkpoint = found.checkpoint();
        Desk.kafka(() -> reader.firstTimestamp(first(shard.id(), checkpoint.laps())))
            .ifPresent(
                first -> far.put(shard.id(), WatermarkQuestion.far(first, checkpoint.admission())));
      }
    }
    return far;
  }

  private static Source first(ShardId shard, Laps laps) {
    return new Source(DelayTopics.laterOf(shard.topic()), shard.partition(), laps.judged());
  }

  /** Returns empty if the store cannot tell about that shard: its owner has to mend it first. */
  private static Optional<Taken> await(CompletableFuture<Taken> reply) {
    try {
      return Optional.of(reply.get(ShardStore.LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      if (cause instanceof StoreException.Corrupt || cause instanceof StoreException.OtherTopic) {
        return Optional.empty();
      }
      throw Problem.of(Status.SERVICE_UNAVAILABLE, String.valueOf(cause.getMessage()));
    } catch (TimeoutException e) {
      throw Problem.of(Status.SERVICE_UNAVAILABLE, "the store does not answer");
    } catch (InterruptedException e) {
      throw Desk.interrupted();
    }
  }
}
