package io.delaybridge.deadletter.replay;

import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Request;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Makes the intake record that a replay writes. Pure. */
public final class ReplayRecords {

  private static final Set<String> WHEN =
      Set.of(DelayHeaders.DELAY_MS, DelayHeaders.DELAY_DURATION, DelayHeaders.DELIVER_AT);

  /** Headers that belong to the earlier request or to its death. */
  private static final Set<String> LEFT_OUT =
      union(
          WHEN,
          DelayHeaders.ARRIVAL,
          DelayHeaders.DEAD,
          DelayHeaders.CARRIED,
          Set.of(DelayHeaders.RETRY, DelayHeaders.TTL_MS, DelayHeaders.SPREAD_MS));

  /**
   * The same for one occurrence, if the record with its content is that of the repeating message.
   */
  private static final Set<String> OF_THE_WHOLE =
      union(LEFT_OUT, DelayHeaders.REPEAT, DelayHeaders.REPEATED, Set.of(DelayHeaders.ID));

  /** Headers that whoever asks for a replay cannot give. */
  private static final Set<String> RESERVED =
      union(
          DelayHeaders.ARRIVAL,
          DelayHeaders.DEAD,
          DelayHeaders.CARRIED,
          DelayHeaders.REPEATED,
          Set.of(DelayHeaders.RETRY));

  private final Function<String, Reading> reading;

  /**
   * @param reading how new records are read, by intake
   */
  public ReplayRecords(Function<String, Reading> reading) {
    this.reading = reading;
  }

  @SafeVarargs
  private static Set<String> union(Set<String>... sets) {
    Set<String> all = new HashSet<>();
    for (Set<String> set : sets) {
      all.addAll(set);
    }
    return Set.copyOf(all);
  }

  /**
   * The record: content as it was, due at once unless a header says otherwise.
   *
   * @param content the record that has key, value and headers
   * @param changes of its headers
   */
  ProducerRecord<byte[], byte[]> record(
      DeadLetter letter, ConsumerRecord<byte[], byte[]> content, HeaderChanges changes) {
    // The sink begins anew, as it does with a letter that has its content.
    boolean isOfCallback = letter.content() != null && letter.reason().startsWith("CALLBACK_");
    // It died as one occurrence: the record that has the content may be that of the repeating
    // message.
    Set<String> leftOut = isOfCallback && repeats(content) ? OF_THE_WHOLE : LEFT_OUT;
    Set<String> changed = changes.names();
    List<Header> sent = new ArrayList<>();
    for (Header header : content.headers()) {
      String name = header.key();
      if (!leftOut.contains(name)
          && !changed.contains(name)
          && !(isOfCallback && name.equals(DelayHeaders.CALLBACK_ATTEMPT))) {
        sent.add(header);
      }
    }
    changes.given().forEach(header -> sent.add(new RecordHeader(header.name(), header.value())));
    if (Collections.disjoint(WHEN, changed)) {
      sent.add(header(DelayHeaders.DELAY_MS, "0"));
    }
    sent.add(header(DelayHeaders.REPLAY, Integer.toString(letter.replays() + 1)));
    Source source = letter.source();
    return new ProducerRecord<>(
        source.topic(), source.partition(), content.key(), content.value(), sent);
  }

  private static boolean repeats(ConsumerRecord<byte[], byte[]> content) {
    return content.headers().lastHeader(DelayHeaders.EVERY) != null
        || content.headers().lastHeader(DelayHeaders.CRON) != null;
  }

  /**
   * The letters whose id has to go if all of them are replayed: the record of a later letter with
   * that id would take their place before they are delivered.
   *
   * @param letters oldest first
   */
  static Set<Source> outlived(List<DeadLetter> letters) {
    Map<List<Object>, Source> newest = new HashMap<>();
    Set<Source> outlived = new HashSet<>();
    for (DeadLetter letter : letters) {
      Source source = letter.source();
      if (letter.id() != null) {
        List<Object> name = List.of(source.topic(), source.partition(), letter.id());
        Source before = newest.put(name, source);
        if (before != null) {
          outlived.add(before);
        }
      }
    }
    return outlived;
  }

  /** Changes for a letter whose id a later one has: without an id, it cannot repeat either. */
  static HeaderChanges nameless() {
    return new HeaderChanges(union(DelayHeaders.REPEAT, Set.of(DelayHeaders.ID)), List.of());
  }

  /** A header that only the bridge writes, if one is among the names. */
  static Optional<String> reserved(Set<String> names) {
    return names.stream().filter(RESERVED::contains).sorted().findFirst();
  }

  /**
   * Why the record would become a dead letter again as soon as it is read, if it would.
   *
   * @param now epoch milliseconds
   */
  Optional<String> fault(ProducerRecord<byte[], byte[]> record, long now) {
    Request request = RequestParser.preview(record, now, reading.apply(record.topic()));
    if (request instanceof DelayedMessage message) {
      StoredMessage stored = message.content();
      Reason reason = stored.reason();
      return reason == null
          ? Optional.empty()
          : Optional.of(reason.name() + ": " + stored.detail());
    }
    return Optional.of("its headers ask for something other than a message");
  }

  private static Header header(String name, String value) {
    return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
