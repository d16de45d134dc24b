package io.delaybridge.deadletter.replay;

import io.delaybridge.deadletter.index.Catalog;
import io.delaybridge.deadletter.letters.Contents;
import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.letters.IndexUnavailableException;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.MarkCodec;
import io.delaybridge.deadletter.replay.Refusal.Code;
import io.delaybridge.message.Source;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;

/** Replays one dead letter, or notes that nothing needs to be done about it. */
public final class Replay {

  private static final Duration VISIBLE = Duration.ofSeconds(2);

  private final Supplier<Catalog> catalog;
  private final Contents contents;
  private final Ledger ledger;
  private final MarkCodec codec;
  private final ReplayRules rules;
  private final ReplayRecords records;
  private final InstantSource clock;

  /** Takes what it looks at, and what it writes with. */
  public Replay(
      Supplier<Catalog> catalog,
      Contents contents,
      Ledger ledger,
      MarkCodec codec,
      ReplayRules rules,
      ReplayRecords records,
      InstantSource clock) {
    this.catalog = catalog;
    this.contents = contents;
    this.ledger = ledger;
    this.codec = codec;
    this.rules = rules;
    this.records = records;
    this.clock = clock;
  }

  /**
   * A replay request.
   *
   * @param force also if it was replayed or handled before
   * @param changes of its headers
   * @param by the name of who asks
   */
  public record Order(boolean force, HeaderChanges changes, String by) {}

  /** The outcome of a replay. */
  public sealed interface Result permits Replayed, NotReplayed {}

  /**
   * It is on the intake again.
   *
   * @param source the new intake record
   * @param replays how often it was replayed, this time included
   */
  public record Replayed(Source source, int replays) implements Result {}

  /** Nothing was done. */
  public record NotReplayed(Refusal refusal) implements Result {}

  /**
   * Puts a dead letter back on its intake, due at once, and marks it.
   *
   * @throws IndexUnavailableException if the index or Kafka does not answer; asking again is safe
   */
  public Result replay(Source source, Order order) {
    Optional<Catalog.Item> found = catalog.get().find(source);
    if (found.isEmpty()) {
      return no(Code.NOT_FOUND, "there is no dead letter " + source);
    }
    DeadLetter letter = found.get().letter();
    Optional<Refusal> refusal = refusal(letter, order);
    if (refusal.isEmpty() && !order.force()) {
      refusal = ReplayRules.already(letter, found.get().mark());
    }
    if (refusal.isPresent()) {
      return new NotReplayed(refusal.get());
    }
    Optional<ConsumerRecord<byte[], byte[]>> content = contents.read(letter);
    if (content.isEmpty()) {
      return no(Code.GONE, "the content of %s was deleted from its topic".formatted(source));
    }
    ProducerRecord<byte[], byte[]> record = records.record(letter, content.get(), order.changes());
    Optional<String> fault = records.fault(record, clock.millis());
    if (fault.isPresent()) {
      return no(
          Code.MALFORMED,
          "%s would only become a dead letter again: %s".formatted(source, fault.get()));
    }
    return write(letter, record, order);
  }

  private Optional<Refusal> refusal(DeadLetter letter, Order order) {
    Optional<String> reserved = ReplayRecords.reserved(order.changes().names());
    if (reserved.isPresent()) {
      return Optional.of(
          new Refusal(Code.BAD_HEADERS, reserved.get() + " may be written only by the bridge"));
    }
    return rules
        .never(letter)
        .or(() -> order.changes().isEmpty() ? rules.malformed(letter) : Optional.empty());
  }

  private Result write(DeadLetter letter, ProducerRecord<byte[], byte[]> record, Order order) {
    String operation = UUID.randomUUID().toString();
    Result result;
    try {
      result =
          ledger.run(
              (marks, transaction) -> {
                Mark mark = marks.find(letter);
                if (mark != null && mark.operation().equals(operation)) {
                  // The previous commit went through; only its answer was lost.
                  return replayed(mark);
                }
                Optional<Refusal> already = ReplayRules.already(letter, mark);
                if (already.isPresent() && !order.force()) {
                  return new NotReplayed(already.get());
                }
                Mark[] written = new Mark[1];
                transaction.commit(
                    List.of(record),
                    places -> {
                      Mark made = mark(letter, place(places.get(0)), operation, order.by());
                      written[0] = made;
                      return List.of(codec.mark(letter.source(), made));
                    });
                return replayed(written[0]);
              });
    } catch (Ledger.RefusedException e) {
      return no(Code.REFUSED, "the intake refuses it: " + e.getMessage());
    }
    awaitVisible();
    return result;
  }

  private Mark mark(DeadLetter letter, Source replayedAs, String operation, String by) {
    return new Mark(
        Mark.State.REPLAYED,
        clock.millis(),
        by,
        operation,
        letter.position(),
        replayedAs,
        letter.replays() + 1);
  }

  static Source place(RecordMetadata written) {
    return new Source(written.topic(), written.partition(), written.offset());
  }

  private static Result replayed(Mark mark) {
    Source source = mark.replayedAs();
    if (source == null) {
      throw new IllegalStateException("a replay has no offset: " + mark);
    }
    return new Replayed(source, mark.replays());
  }

  private static NotReplayed no(Code code, String text) {
    return new NotReplayed(new Refusal(code, text));
  }

  /**
   * Marks a dead letter as handled, unless something was done about it before. False if the index
   * has no such letter.
   *
   * @param by the name of who asks
   */
  public boolean handled(Source source, String by) {
    Optional<Catalog.Item> found = catalog.get().find(source);
    if (found.isEmpty()) {
      return false;
    }
    DeadLetter letter = found.get().letter();
    Mark made =
        new Mark(
            Mark.State.HANDLED,
            clock.millis(),
            by,
            UUID.randomUUID().toString(),
            letter.position(),
            null,
            letter.replays());
    ledger.<Boolean>run(
        (marks, transaction) -> {
          boolean fresh = marks.find(letter) == null;
          if (fresh) {
            transaction.commit(List.of(), nothing -> List.of(codec.mark(source, made)));
          }
          return fresh;
        });
    awaitVisible();
    return true;
  }

  /** So that whoever asks this instance next sees what was done. Others follow in a moment. */
  private void awaitVisible() {
    try {
      ledger.awaitVisible(VISIBLE);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
