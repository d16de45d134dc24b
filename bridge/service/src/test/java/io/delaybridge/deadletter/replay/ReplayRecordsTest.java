package io.delaybridge.deadletter.replay;

import static io.delaybridge.deadletter.letters.Letters.AT;
import static io.delaybridge.deadletter.letters.Letters.content;
import static io.delaybridge.deadletter.letters.Letters.headers;
import static io.delaybridge.deadletter.letters.Letters.letter;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.intake.Letter;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayRecordsTest {

  private static final DeadLetter LETTER = letter(5, "EXPIRED", "orders", AT, 1);

  private final ReplayRecords records =
      new ReplayRecords(intake -> Reading.latest(intake.equals("delay-intake") ? 60_000 : 0, 0));

  private ProducerRecord<byte[], byte[]> record(Map<String, String> given, String... had) {
    return record(changes(given), had);
  }

  private static HeaderChanges changes(Map<String, String> given, String... removed) {
    return new HeaderChanges(Set.of(removed), Letter.texts(given));
  }

  private ProducerRecord<byte[], byte[]> record(HeaderChanges given, String... had) {
    ConsumerRecord<byte[], byte[]> content =
        content(new byte[] {0, -1}, new byte[] {7}, headers(had));
    return records.record(LETTER, content, given);
  }

  private static List<String> written(ProducerRecord<byte[], byte[]> record) {
    List<String> all = new ArrayList<>();
    for (Header header : record.headers()) {
      all.add(header.key() + "=" + new String(header.value(), UTF_8));
    }
    return all;
  }

  @Test
  void keyValueAndForeignHeadersGoBackToTheSamePartitionDueAtOnce() {
    ProducerRecord<byte[], byte[]> record =
        record(
            Map.of(),
            "mine",
            "1",
            DelayHeaders.TARGET_TOPIC,
            "orders",
            DelayHeaders.TARGET_PARTITION,
            "5",
            DelayHeaders.ID,
            "an-id",
            DelayHeaders.MAX_ATTEMPTS,
            "9",
            "mine",
            "2");

    assertThat(record.topic()).isEqualTo("delay-intake");
    assertThat(record.partition()).isEqualTo(3);
    assertThat(record.timestamp()).isNull();
    assertThat(record.key()).containsExactly(0, -1);
    assertThat(record.value()).containsExactly(7);
    assertThat(written(record))
        .containsExactly(
            "mine=1",
            "delay-target-topic=orders",
            "delay-target-partition=5",
            "delay-id=an-id",
            "delay-max-attempts=9",
            "mine=2",
            "delay-ms=0",
            "delay-replay=2");
    assertThat(records.fault(record, AT)).isEmpty();
  }

  @Test
  void whatBelongsToTheEarlierRequestAndToItsDeathStaysBehind() {
    ProducerRecord<byte[], byte[]> record =
        record(
            Map.of(),
            DelayHeaders.DELAY_DURATION,
            "PT5M",
            DelayHeaders.DELIVER_AT,
            "2",
            DelayHeaders.DELAY_MS,
            "3",
            DelayHeaders.TTL_MS,
            "4",
            DelayHeaders.SPREAD_MS,
            "5",
            DelayHeaders.RETRY,
            "v1|1|2|3|-",
            DelayHeaders.OP,
            "schedule",
            DelayHeaders.REPLAY,
            "1",
            DelayHeaders.SOURCE,
            "a/1/2",
            DelayHeaders.ATTEMPT,
            "3",
            DelayHeaders.DUE_AT,
            "4",
            DelayHeaders.DELIVERED_AT,
            "5",
            DelayHeaders.DEAD_REASON,
            "EXPIRED",
            DelayHeaders.DEAD_DETAIL,
            "x",
            DelayHeaders.DEAD_AT,
            "6",
            DelayHeaders.DEAD_CONTENT,
            "a/1/2");

    assertThat(written(record))
        .containsExactly("delay-op=schedule", "delay-ms=0", "delay-replay=2");
  }

  /** Its content is that of the message that repeats, which goes on by itself. */
  @Test
  void aCallbackOfAnOccurrenceIsReplayedAsOneThatDoesNotRepeat() {
    DeadLetter letter =
        new DeadLetter(
            LETTER.source(),
            LETTER.position(),
            "orders",
            null,
            "CALLBACK_EXHAUSTED",
            "x",
            AT,
            1,
            0,
            0,
            LETTER.source());

    ProducerRecord<byte[], byte[]> record =
        records.record(
            letter,
            content(
                null,
                new byte[] {7},
                headers(
                    DelayHeaders.ID, "x", DelayHeaders.CRON, "@daily", DelayHeaders.ZONE, "UTC")),
            HeaderChanges.NONE);

    assertThat(written(record)).containsExactly("delay-ms=0", "delay-replay=1");
  }

  /** A letter of the sink without content points to the request of its last attempt. */
  @ParameterizedTest
  @CsvSource({
    "CALLBACK_EXHAUSTED, true, false",
    "CALLBACK_EXHAUSTED, false, true",
    "EXPIRED, true, true"
  })
  void aCallbackBeginsWithItsFirstAttempt(String reason, boolean elsewhere, boolean kept) {
    DeadLetter letter =
        new DeadLetter(
            LETTER.source(),
            LETTER.position(),
            "orders",
            null,
            reason,
            "x",
            AT,
            1,
            0,
            0,
            elsewhere ? LETTER.source() : null);

    ProducerRecord<byte[], byte[]> record =
        records.record(
            letter,
            content(null, new byte[] {7}, headers("delay-callback-attempt", "10")),
            HeaderChanges.NONE);

    assertThat(written(record).contains("delay-callback-attempt=10")).isEqualTo(kept);
  }

  @Test
  void aCancelOrMoveDoesNotBecomeAMessage() {
    for (String op : List.of("cancel", "move", "reject", "pause", "resume", "unheard-of")) {
      ProducerRecord<byte[], byte[]> itsOwn =
          record(Map.of(DelayHeaders.ID, "an-id"), DelayHeaders.OP, op);
      ProducerRecord<byte[], byte[]> given =
          record(Map.of(DelayHeaders.ID, "an-id", DelayHeaders.OP, op));

      assertThat(records.fault(itsOwn, AT)).as(op).isPresent();
      assertThat(records.fault(given, AT)).as(op).isPresent();
    }
  }

  @Test
  void anOpThatIsWrongCanBeMendedOrTakenAway() {
    for (HeaderChanges given :
        List.of(changes(Map.of(), DelayHeaders.OP), changes(Map.of(DelayHeaders.OP, "schedule")))) {
      ProducerRecord<byte[], byte[]> record =
          record(given, DelayHeaders.OP, "Schedule", DelayHeaders.TARGET_TOPIC, "t");

      assertThat(ReplayRecords.reserved(given.names())).isEmpty();
      assertThat(records.fault(record, AT)).isEmpty();
    }
  }

  @Test
  void ofLettersWithOneIdInAPartitionOnlyTheNewestKeepsIt() {
    DeadLetter old = named("a", 3, 1);
    DeadLetter older = named("a", 3, 2);
    DeadLetter newest = named("a", 3, 3);
    DeadLetter elsewhere = named("a", 2, 4);
    DeadLetter other = named("b", 3, 5);
    DeadLetter none = named(null, 3, 6);
    DeadLetter noneEither = named(null, 3, 7);

    assertThat(
            ReplayRecords.outlived(List.of(old, older, newest, elsewhere, other, none, noneEither)))
        .containsExactlyInAnyOrder(old.source(), older.source());
  }

  private static DeadLetter named(@Nullable String id, int partition, long offset) {
    return new DeadLetter(
        new Source("delay-intake", partition, offset),
        new Source("dead", 0, offset),
        "orders",
        id,
        "EXPIRED",
        "detail",
        AT,
        1,
        0,
        10,
        null);
  }

  @Test
  void givenHeadersTakeThePlaceOfThoseThatItHasAndOthersAreTakenAway() {
    assertThat(
            written(
                record(
                    changes(Map.of(DelayHeaders.TARGET_TOPIC, "elsewhere"), DelayHeaders.ID),
                    DelayHeaders.TARGET_TOPIC,
                    "a b",
                    DelayHeaders.TARGET_TOPIC,
                    "c d",
                    DelayHeaders.ID,
                    "an-id")))
        .containsExactly("delay-target-topic=elsewhere", "delay-ms=0", "delay-replay=2");
  }

  @Test
  void severalOfOneNameAreGivenInTheirOrder() {
    HeaderChanges given =
        new HeaderChanges(
            Set.of(),
            List.of(new StoredHeader("tag", new byte[] {'a'}), new StoredHeader("tag", null)));

    assertThat(record(given, "tag", "x", "mine", "1").headers().headers("tag"))
        .extracting(Header::value)
        .containsExactly(new byte[] {'a'}, null);
  }

  @Test
  void whatALaterLetterOutlivesComesOnceAndDoesNotRepeat() {
    assertThat(
            written(
                record(
                    ReplayRecords.nameless(),
                    DelayHeaders.ID,
                    "an-id",
                    DelayHeaders.CRON,
                    "@daily",
                    DelayHeaders.ZONE,
                    "Europe/Berlin")))
        .containsExactly("delay-ms=0", "delay-replay=2");
  }

  @Test
  void aTimeThatIsGivenIsUsedInsteadOfAtOnce() {
    assertThat(written(record(Map.of(DelayHeaders.DELAY_DURATION, "PT1S"))))
        .containsExactly("delay-duration=PT1S", "delay-replay=2");
  }

  @Test
  void aRecordThatWouldOnlyDieAgainIsToldWithItsReason() {
    assertThat(records.fault(record(Map.of(DelayHeaders.TARGET_TOPIC, "a b")), AT).orElseThrow())
        .startsWith("INVALID_TARGET: ");
    assertThat(records.fault(record(Map.of(DelayHeaders.DELAY_MS, "60001")), AT).orElseThrow())
        .startsWith("DELAY_TOO_LONG: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delay-retry",
        "delay-replay",
        "delay-source",
        "delay-dead-reason",
        "delay-attempt"
      })
  void aHeaderThatOnlyTheBridgeWritesCanNotBeGiven(String name) {
    assertThat(ReplayRecords.reserved(Set.of("delay-ms", name))).contains(name);
    assertThat(ReplayRecords.reserved(Set.of("delay-ms", "mine"))).isEmpty();
  }
}
