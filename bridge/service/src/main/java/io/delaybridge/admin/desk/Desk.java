package io.delaybridge.admin.desk;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import io.delaybridge.intake.IntakeReader;
import io.delaybridge.intake.IntakeReader.NotReadException;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.intake.IntakeWriter.NotWrittenException;
import io.delaybridge.intake.IntakeWriter.Sent;
import io.delaybridge.intake.IntakeWriter.Written;
import io.delaybridge.intake.Letter;
import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Request;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.repeat.Repetition;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Clocks;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.shard.ShardDirectory.UnavailableException;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import io.delaybridge.store.StoreException;
import jakarta.ws.rs.core.Response.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds pending messages and has the owners of their shards act on them. An answer is either the
 * owner's, or "ask again". A message is reported as not found only once the store has caught up
 * with the log as it was when the question came. Each ask is written to the intake, and answered in
 * the transaction that settles it. See ADR 12.
 */
public final class Desk {

  /** The writer's clock may be ahead of the reader's. */
  private static final Duration MARGIN = Duration.ofSeconds(30);

  private final IntakeWriter writer;
  private final IntakeReader reader;
  private final PendingView view;
  private final ShardDirectory directory;
  private final Function<String, Reading> readings;
  private final Patience patience;
  private final Finder finder;
  private final FarMessages far;
  private final Placement placement;

  /**
   * @param readings how new records are read, by intake
   * @param patience how long a caller waits for an answer
   */
  public Desk(
      IntakeWriter writer,
      IntakeReader reader,
      PendingView view,
      ShardDirectory directory,
      Function<String, Reading> readings,
      Clocks clocks,
      Duration patience) {
    this.writer = writer;
    this.reader = reader;
    this.view = view;
    this.directory = directory;
    this.readings = readings;
    this.patience = new Patience(clocks, patience);
    this.far = new FarMessages(reader, view, directory, readings, clocks);
    this.finder = new Finder(reader, view, directory, this.patience, far);
    this.placement = new Placement(view, directory);
  }

  /** Every shard that the caller may see. */
  public List<ShardId> shards(Caller caller) {
    return kafka(directory::shards).stream().filter(s -> caller.sees(s.topic())).toList();
  }

  /** Those of one intake, or all for null; throws a {@link Problem} if it is none of them. */
  public List<ShardId> shards(Caller caller, @Nullable String intake) {
    return ShardsOf.intake(intake, caller, shards(caller));
  }

  /**
   * Puts a message on its intake and waits until Kafka has it. A message with an id goes to the
   * partition in which the id is pending.
   *
   * @param allowance is asked for a message that is valid; it throws a {@link Problem} to refuse it
   */
  public Written schedule(Letter letter, Runnable allowance) {
    preview(letter);
    allowance.run();
    return write(placement.placed(letter));
  }

  private Request preview(Letter letter) {
    Request request = writer.preview(letter, reading(letter.topic()));
    if (request instanceof DelayedMessage message && message.content().reason() != null) {
      throw Problem.of(
          Status.BAD_REQUEST,
          message.content().reason().name(),
          String.valueOf(message.content().detail()));
    }
    return request;
  }

  /**
   * The one pending message that the reference names.
   *
   * @throws Problem 403 if it would be on an intake that the caller may not see, 404 if there is
   *     none, 409 if there are several, 504 if that is not known in time
   */
  public Found find(Reference reference, Caller caller) {
    return find(reference, caller, patience.deadline());
  }

  /** The message that the id stands for in the shard now, if it can be found at once. */
  public Optional<Found> named(ShardId shard, String id) {
    return finder.named(shard, id);
  }

  private Found find(Reference reference, Caller caller, long deadline) {
    if (reference.shard() != null) {
      caller.mustSee(reference.shard().topic());
    }
    return finder.find(reference, reference.among(shards(caller)), deadline);
  }

  /**
   * An ask that was carried out.
   *
   * @param found the message as it was
   * @param due epoch milliseconds of its new due time, 0 if it has none
   */
  public record Asked(Found found, long due) {}

  /**
   * Carries out an operation on one pending message. If the message has moved on to another attempt
   * or due time in the meantime, the operation applies to the one that is pending then.
   *
   * @param op {@link DelayHeaders#OP_CANCEL}, {@link DelayHeaders#OP_MOVE} or {@link
   *     DelayHeaders#OP_SKIP}
   * @param when the header that says when, unless it is a cancel
   * @throws Problem 404, 409 or 504
   */
  public Asked ask(Reference reference, Caller caller, String op, Map<String, String> when) {
    long deadline = patience.deadline();
    boolean wasPending = false;
    Reference at = reference;
    while (true) {
      Found found;
      try {
        found = find(at, caller, deadline);
      } catch (Problem e) {
        throw wasPending && e.getResponse().getStatus() == 404 ? tooLate(reference) : e;
      }
      wasPending = true;
      DelayedMessage message = found.message();
      Letter letter = Letter.ask(found.shard(), op, message.key(), message.id(), when);
      long due = ((Ask) preview(letter)).stored().moveTo();
      if (due > message.content().expiresAt() && !op.equals(DelayHeaders.OP_SKIP)) {
        throw Problem.of(
            Status.BAD_REQUEST, "EXPIRED", "the message would expire before it is due");
      }
      Written before = null;
      long until = due;
      long seen = -1;
      if (found.isFar()) {
        seen = far.seen(found);
        if (seen < 0) {
          continue;
        }
        until = op.equals(DelayHeaders.OP_MOVE) ? notAtOnce(found, due) : due;
        before = write(ofFar(found, op, until, seen));
      }
      if (!op.equals(DelayHeaders.OP_CANCEL)
          && !message.repeats()
          && before == null
          && reading(found.shard().topic()).horizon() == 0) {
        mustOutliveItsIntake(found, due);
      }
      Written written = write(letter);
      Verdict verdict = answer(written, deadline);
      if (verdict == Verdict.REJECTED) {
        throw Problem.of(
            Status.CONFLICT,
            "REJECTED",
            reference
                + " is now a dead letter: it was malformed, or the intake refused it with its new"
                + " due time");
      }
      if (verdict != Verdict.TOO_LATE) {
        return new Asked(found, ((Ask) written.request()).stored().moveTo());
      }
      if (before != null && isDone(found, op, seen, before)) {
        if (until == due) {
          return new Asked(found, due);
        }
        // It is near now, at another place.
        at = reference.shard() == null ? reference : Reference.of(before.source());
      } else if (reference.id() == null) {
        throw tooLate(reference);
      }
    }
  }

  /**
   * The record that cancels a far message, or moves it, when it is read. The ask that follows finds
   * the message if it has come home in the meantime. If not, the answer to that ask shows that this
   * record was read, and that the checkpoint has it.
   */
  private static Letter ofFar(Found found, String op, long due, long seen) {
    DelayedMessage message =
        found.message().repeats()
            ? Repetition.moved(found.message(), op.equals(DelayHeaders.OP_SKIP))
            : found.message();
    return op.equals(DelayHeaders.OP_CANCEL)
        ? Letter.cancel(found.shard(), Objects.requireNonNull(message.id()))
        : Letter.instead(found.shard(), message, due, seen);
  }

  /**
   * When a far message that is moved is due at first. Once it is delivered, nothing tells whether
   * it was moved. So it is not due before this call is over, but near, so that an ask can move it
   * on; unless it was due sooner all along.
   *
   * @param due epoch milliseconds of its new due time
   */
  private long notAtOnce(Found found, long due) {
    long horizon = reading(found.shard().topic()).horizon();
    long pause = horizon == 0 ? patience.longest() : Math.min(patience.longest(), horizon / 2);
    return Math.max(due, Math.min(found.message().due(), far.now() + pause));
  }

  /** Nobody delivers a message before it is due, unless it was moved before it was cancelled. */
  private boolean isDone(Found found, String op, long seen, Written read) {
    DelayedMessage message = found.message();
    String id = Objects.requireNonNull(message.id());
    return op.equals(DelayHeaders.OP_CANCEL)
        ? far.now() < message.key().time() && !far.mayBeMoved(id, seen, read.source())
        : far.isSaid(found.shard(), id, read.source().offset());
  }

  /**
   * A copy that has an id stands for the first record of the message, which the intake keeps for
   * the longest delay. If an earlier release rebuilds Redis and does not find that record, it takes
   * the copy for cancelled. Such a release does not know messages that repeat.
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
    long limit = reading(shard.topic()).longestDelay();
    if (written.isEmpty() || due - written.get() > limit) {
      throw Problem.of(
          Status.BAD_REQUEST,
          "DELAY_TOO_LONG",
          "a message with an id can be moved to at most %d ms after it was first scheduled;"
                  .formatted(limit)
              + " cancel it and schedule it again");
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
   * @param awaited the shards that have to confirm it
   */
  public void tell(List<ShardId> shards, String op, List<ShardId> awaited) {
    long deadline = patience.deadline();
    // At the same time, since an ask to a partition without a leader waits for seconds.
    Map<ShardId, Sent> sent = new LinkedHashMap<>();
    shards.forEach(shard -> sent.put(shard, begin(Letter.ask(shard, op))));
    List<Written> asks = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    sent.forEach(
        (shard, each) -> {
          try {
            Written ask = written(each);
            if (awaited.contains(shard)) {
              asks.add(ask);
            }
          } catch (Problem e) {
            // The others are asked all the same.
            problems.add(e);
          }
        });
    asks.forEach(ask -> answer(ask, deadline));
    if (!problems.isEmpty()) {
      throw problems.get(0);
    }
  }

  private Verdict answer(Written ask, long deadline) {
    ShardId shard = new ShardId(ask.source().topic(), ask.source().partition());
    while (true) {
      Optional<Verdict> answer = store(() -> view.answer(shard, ask.source().offset()));
      if (answer.isPresent()) {
        return answer.get();
      }
      patience.await(deadline, "the request at " + ask.source() + " was not answered");
    }
  }

  private Written write(Letter letter) {
    return written(begin(letter));
  }

  private Sent begin(Letter letter) {
    return writer.begin(letter, reading(letter.topic()));
  }

  private static Written written(Sent sent) {
    try {
      return sent.await();
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
              "the intake does not accept records of this size: " + e.getMessage());
      case REFUSED ->
          Problem.of(Status.BAD_GATEWAY, "REFUSED", "Kafka refuses the record: " + e.getMessage());
      case UNKNOWN ->
          Problem.of(
              Status.GATEWAY_TIMEOUT,
              "UNKNOWN",
              "Kafka did not acknowledge the record; check that it is not there before a new try: "
                  + e.getMessage());
    };
  }

  /** The latest due time of a message that is written now, in epoch milliseconds. */
  public long latest(ShardId shard) {
    return far.now() + reading(shard.topic()).longestDelay() - MARGIN.toMillis();
  }

  private Reading reading(String intake) {
    return readings.apply(intake);
  }

  static Problem interrupted() {
    Thread.currentThread().interrupt();
    return Problem.of(Status.SERVICE_UNAVAILABLE, "the bridge is stopping");
  }

  public static <T> T store(Supplier<T> question) {
    try {
      return question.get();
    } catch (StoreException e) {
      throw Problem.of(Status.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  /** A question to Kafka. */
  public interface Question<T> {
    T ask() throws UnavailableException, NotReadException, InterruptedException;
  }

  public static <T> T kafka(Question<T> question) {
    try {
      return question.ask();
    } catch (UnavailableException | NotReadException e) {
      throw Problem.of(Status.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }
}
