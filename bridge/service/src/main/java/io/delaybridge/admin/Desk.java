package io.delaybridge.admin;

import io.delaybridge.intake.IntakeReader;
import io.delaybridge.intake.IntakeReader.NotReadException;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.intake.IntakeWriter.NotWrittenException;
import io.delaybridge.intake.IntakeWriter.Written;
import io.delaybridge.intake.Letter;
import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Request;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Source;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.shard.ShardDirectory.UnavailableException;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import io.delaybridge.store.StoreException;
import jakarta.ws.rs.core.Response.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Finds pending messages and has the owners of their shards do things with them. Every answer is
 * one that the owner gave, or "ask again": what is not found is not there once the store has caught
 * up with the log as it was when the question came, and what is asked for is written to the intake
 * and answered in the transaction that settles it. See ADR 12.
 */
public final class Desk {

  private static final long LOOK_AGAIN_MILLIS = 5;
  private static final long LONGEST_PAUSE_MILLIS = 100;

  private final IntakeWriter writer;
  private final IntakeReader reader;
  private final PendingView view;
  private final ShardDirectory directory;
  private final ToLongFunction<String> longestDelay;
  private final LongSupplier nanos;
  private final Duration patience;

  /**
   * @param longestDelay milliseconds, by intake
   * @param patience how long a caller waits for an answer
   */
  public Desk(
      IntakeWriter writer,
      IntakeReader reader,
      PendingView view,
      ShardDirectory directory,
      ToLongFunction<String> longestDelay,
      LongSupplier nanos,
      Duration patience) {
    this.writer = writer;
    this.reader = reader;
    this.view = view;
    this.directory = directory;
    this.longestDelay = longestDelay;
    this.nanos = nanos;
    this.patience = patience;
  }

  /** Every shard that the caller may see. */
  public List<ShardId> shards(Caller caller) {
    return kafka(directory::shards).stream().filter(s -> caller.sees(s.topic())).toList();
  }

  /** Puts a message on its intake and waits until Kafka has it. */
  public Written schedule(Letter letter) {
    preview(letter);
    return write(letter);
  }

  private Request preview(Letter letter) {
    Request request = writer.preview(letter, longestDelay.applyAsLong(letter.topic()));
    if (request instanceof DelayedMessage message && message.content().reason() != null) {
      throw Problem.of(
          Status.BAD_REQUEST,
          message.content().reason().name(),
          String.valueOf(message.content().detail()));
    }
    return request;
  }

  /**
   * The one pending message of that name.
   *
   * @throws Problem 403 if it would be on an intake that the caller may not see, 404 if there is
   *     none, 409 if there are several, 504 if that is not known in time
   */
  public Found find(Reference reference, Caller caller) {
    return find(reference, caller, deadline());
  }

  private Found find(Reference reference, Caller caller, long deadline) {
    if (reference.shard() != null) {
      caller.mustSee(reference.shard().topic());
    }
    List<ShardId> shards = reference.among(shards(caller));
    Set<Due> keys = keysOf(reference, shards);
    Map<ShardId, Long> ends = null;
    int times = 0;
    while (true) {
      // In this order: what is in the store once it has caught up is seen.
      boolean caughtUp = ends != null && hasCaughtUp(shards, ends);
      Optional<Found> found = only(reference, look(reference, keys, shards));
      if (found.isPresent()) {
        return found.get();
      }
      // Still, and twice: an ask hides a message, and the copy that it leaves is behind the end.
      boolean stays = ends != null && caughtUp && hasCaughtUp(shards, ends);
      if (stays && ++times == 2) {
        throw Problem.of(Status.NOT_FOUND, "NOT_FOUND", reference.gone());
      }
      if (stays || ends == null) {
        ends = kafka(() -> directory.ends(shards));
      } else {
        await(deadline, reference + " was not found, but the store has not read the whole intake");
      }
    }
  }

  /**
   * Whatever has a source is found by its key, which is a function of its record and of the longest
   * delay that it was admitted under: that of the configuration, or an earlier one that the
   * checkpoint tells.
   */
  private Set<Due> keysOf(Reference reference, List<ShardId> shards) {
    if (reference.id() != null || shards.isEmpty()) {
      return Set.of();
    }
    ShardId shard = shards.get(0);
    Set<Long> limits = new HashSet<>();
    limits.add(longestDelay.applyAsLong(shard.topic()));
    Checkpoint checkpoint = kafka(directory::checkpoints).get(shard);
    if (checkpoint != null) {
      limits.add(checkpoint.admission().longestDelay(reference.offset()));
    }
    Set<Due> keys = new HashSet<>();
    for (long limit : limits) {
      key(shard.source(reference.offset()), limit).ifPresent(keys::add);
    }
    return keys;
  }

  private Optional<Due> key(Source source, long limit) {
    return kafka(() -> reader.read(source, limit))
        .map(request -> request instanceof DelayedMessage message ? message.key() : null);
  }

  private List<Found> look(Reference reference, Set<Due> keys, List<ShardId> shards) {
    String id = reference.id();
    if (id != null) {
      return store(() -> view.byId(shards, id));
    }
    return store(
        () ->
            shards.stream()
                .flatMap(shard -> keys.stream().flatMap(key -> view.byKey(shard, key).stream()))
                .toList());
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
                  found.stream()
                      .map(each -> each.shard().source(each.message().offset()))
                      .toList()));
    }
    return found.stream().findFirst();
  }

  private boolean hasCaughtUp(List<ShardId> shards, Map<ShardId, Long> ends) {
    return ends != null
        && store(() -> view.summaries(shards, 0)).stream()
            .allMatch(
                each ->
                    each.asks() == 0
                        && each.next() >= ends.getOrDefault(each.shard(), Long.MAX_VALUE));
  }

  /**
   * What was done.
   *
   * @param found the message as it was
   * @param due epoch milliseconds of its new due time, 0 if it has none
   */
  public record Asked(Found found, long due) {}

  /**
   * Has something done with one pending message. If it has moved on in the meantime to another
   * attempt or another due time, the one that is pending then is meant.
   *
   * @param op {@link DelayHeaders#OP_CANCEL} or {@link DelayHeaders#OP_MOVE}
   * @param when the header that says when, for a move
   * @throws Problem 404, 409 or 504
   */
  public Asked ask(Reference reference, Caller caller, String op, Map<String, String> when) {
    long deadline = deadline();
    boolean wasPending = false;
    while (true) {
      Found found;
      try {
        found = find(reference, caller, deadline);
      } catch (Problem e) {
        throw wasPending && e.getResponse().getStatus() == 404 ? tooLate(reference) : e;
      }
      wasPending = true;
      DelayedMessage message = found.message();
      Letter letter = Letter.ask(found.shard(), op, message.key(), message.id(), when);
      long due = ((Ask) preview(letter)).stored().moveTo();
      if (due > message.content().expiresAt()) {
        throw Problem.of(
            Status.BAD_REQUEST, "EXPIRED", "the message would have expired before it is due");
      }
      if (op.equals(DelayHeaders.OP_MOVE)) {
        mustOutliveItsIntake(found, due);
      }
      Written written = write(letter);
      Verdict verdict = answer(written, deadline);
      if (verdict == Verdict.REJECTED) {
        throw Problem.of(
            Status.CONFLICT,
            "REJECTED",
            reference + " is a dead letter now: the intake refused it with its new due time");
      }
      if (verdict != Verdict.TOO_LATE) {
        return new Asked(found, ((Ask) written.request()).stored().moveTo());
      }
      if (reference.id() == null) {
        throw tooLate(reference);
      }
    }
  }

  /**
   * A copy that has an id stands for the first record of the message. The intake keeps that one for
   * the longest delay, and a rebuild of Redis that does not find it takes the copy for cancelled.
   *
   * @param due epoch milliseconds of the new due time
   */
  private void mustOutliveItsIntake(Found found, long due) {
    DelayedMessage message = found.message();
    if (message.id() == null || due <= message.key().time()) {
      return;
    }
    ShardId shard = found.shard();
    Optional<Long> written = kafka(() -> reader.timestamp(shard.source(message.origin())));
    long limit = longestDelay.applyAsLong(shard.topic());
    if (written.isEmpty() || due - written.get() > limit) {
      throw Problem.of(
          Status.BAD_REQUEST,
          "DELAY_TOO_LONG",
          "a message with an id can be moved to %d ms after it was scheduled first, not further;"
                  .formatted(limit)
              + " cancel it and schedule it anew");
    }
  }

  private static Problem tooLate(Reference reference) {
    return Problem.of(
        Status.CONFLICT,
        "TOO_LATE",
        reference + " is no longer pending: it was delivered, cancelled or replaced just now");
  }

  /**
   * Stops or starts delivery of these shards.
   *
   * @param op {@link DelayHeaders#OP_PAUSE} or {@link DelayHeaders#OP_RESUME}
   * @param awaited those that have to say that they do
   */
  public void tell(List<ShardId> shards, String op, List<ShardId> awaited) {
    long deadline = deadline();
    List<Written> asks = new ArrayList<>();
    for (ShardId shard : shards) {
      Written ask = write(Letter.ask(shard, op));
      if (awaited.contains(shard)) {
        asks.add(ask);
      }
    }
    asks.forEach(ask -> answer(ask, deadline));
  }

  private Verdict answer(Written ask, long deadline) {
    ShardId shard = new ShardId(ask.source().topic(), ask.source().partition());
    while (true) {
      Optional<Verdict> answer = store(() -> view.answer(shard, ask.source().offset()));
      if (answer.isPresent()) {
        return answer.get();
      }
      await(deadline, "asked at " + ask.source() + ", but no answer came in time");
    }
  }

  private Written write(Letter letter) {
    try {
      return writer.write(letter, longestDelay.applyAsLong(letter.topic()));
    } catch (NotWrittenException e) {
      throw notWritten(e);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static Problem notWritten(NotWrittenException e) {
    return switch (e.why()) {
      case TOO_LARGE ->
          Problem.of(
              Status.REQUEST_ENTITY_TOO_LARGE,
              "TOO_LARGE",
              "the intake does not take records of this size: " + e.getMessage());
      case REFUSED ->
          Problem.of(Status.BAD_GATEWAY, "REFUSED", "Kafka does not take it: " + e.getMessage());
      case UNKNOWN ->
          Problem.of(
              Status.GATEWAY_TIMEOUT,
              "UNKNOWN",
              "Kafka did not acknowledge it, ask again whether it is there: " + e.getMessage());
    };
  }

  private long deadline() {
    return nanos.getAsLong() + patience.toNanos();
  }

  private void await(long deadline, String what) {
    if (nanos.getAsLong() - deadline >= 0) {
      throw Problem.of(
          Status.GATEWAY_TIMEOUT,
          "UNKNOWN",
          "%s within %d s; ask again".formatted(what, patience.toSeconds()));
    }
    // Often at first, when an answer is likely; then less, for a shard that is stopped.
    long waited = patience.toMillis() - (deadline - nanos.getAsLong()) / 1_000_000;
    try {
      TimeUnit.MILLISECONDS.sleep(
          Math.min(LONGEST_PAUSE_MILLIS, Math.max(LOOK_AGAIN_MILLIS, waited / 4)));
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static Problem interrupted() {
    Thread.currentThread().interrupt();
    return Problem.of(Status.SERVICE_UNAVAILABLE, "the bridge is stopping");
  }

  static <T> T store(Supplier<T> question) {
    try {
      return question.get();
    } catch (StoreException e) {
      throw Problem.of(Status.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  /** A question to Kafka. */
  interface Question<T> {
    T ask() throws UnavailableException, NotReadException, InterruptedException;
  }

  static <T> T kafka(Question<T> question) {
    try {
      return question.ask();
    } catch (UnavailableException | NotReadException e) {
      throw Problem.of(Status.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }
}
