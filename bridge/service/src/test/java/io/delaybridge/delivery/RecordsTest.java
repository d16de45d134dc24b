package io.delaybridge.delivery;

import static io.delaybridge.intake.IntakeRecord.OFFSET;
import static io.delaybridge.intake.IntakeRecord.PARTITION;
import static io.delaybridge.intake.IntakeRecord.TIMESTAMP;
import static io.delaybridge.intake.IntakeRecord.TOPIC;
import static io.delaybridge.intake.IntakeRecord.empty;
import static io.delaybridge.intake.IntakeRecord.schedule;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.intake.IntakeRecord;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredHeader;
import java.util.List;
import java.util.stream.StreamSupport;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.apache.kafka.clients.producer.ProducerRecord;

class RecordsTest {

  private static final ShardId SHARD = new ShardId(TOPIC, PARTITION);
  private static final long NOW = 1_760_000_001_234L;

  private final Records records = new Records("dead");

  private ProducerRecord<byte[], byte[]> record(IntakeRecord request, Decision decision) {
    return records.outgoing(SHARD, request.parsed(), decision, NOW).record();
  }

  private ProducerRecord<byte[], byte[]> arrival(IntakeRecord request) {
    return record(request, new Decision.Deliver("orders"));
  }

  private ProducerRecord<byte[], byte[]> dead(IntakeRecord request, boolean whole) {
    return record(request, new Decision.Dead(Reason.UNKNOWN_TARGET, "no such topic", whole));
  }

  static List<StoredHeader> headers(ProducerRecord<byte[], byte[]> record) {
    return StreamSupport.stream(record.headers().spliterator(), false)
        .map(header -> new StoredHeader(header.key(), header.value()))
        .toList();
  }

  static StoredHeader header(String name, String value) {
    return new StoredHeader(name, value.getBytes(UTF_8));
  }

  @Example
  void anArrivalGoesToItsTargetAndKafkaChoosesPartitionAndTimestamp() {
    ProducerRecord<byte[], byte[]> record = arrival(schedule());

    assertThat(record.topic()).isEqualTo("orders");
    assertThat(record.partition()).isNull();
    assertThat(record.timestamp()).isNull();
  }

  @Example
  void anArrivalGoesToThePartitionOfTheDecision() {
    IntakeRecord request = schedule().with(DelayHeaders.TARGET_PARTITION, "3");

    ProducerRecord<byte[], byte[]> record = record(request, new Decision.Deliver("orders", 3));

    assertThat(record.partition()).isEqualTo(3);
    assertThat(record.headers().lastHeader(DelayHeaders.TARGET_PARTITION)).isNull();
  }

  @Example
  void anArrivalHasTheOriginalKeyAndValue() {
    ProducerRecord<byte[], byte[]> record =
        arrival(schedule().key(new byte[] {0, -1}).value(new byte[] {5}));

    assertThat(record.key()).containsExactly(0, -1);
    assertThat(record.value()).containsExactly(5);
  }

  @Example
  void anArrivalWithoutKeyAndValueHasNone() {
    ProducerRecord<byte[], byte[]> record = arrival(schedule());

    assertThat(record.key()).isNull();
    assertThat(record.value()).isNull();
  }

  @Example
  void anArrivalKeepsForeignHeadersInOrderAndSaysWhereAndWhenItComesFrom() {
    ProducerRecord<byte[], byte[]> record =
        arrival(
            empty()
                .withBytes("trace", new byte[] {-128})
                .with(DelayHeaders.TARGET_TOPIC, "orders")
                .withBytes("trace", null)
                .with(DelayHeaders.DELAY_MS, "1000")
                .withBytes("trace", new byte[0])
                .with("delayed-by", "mine"));

    assertThat(headers(record))
        .containsExactly(
            new StoredHeader("trace", new byte[] {-128}),
            new StoredHeader("trace", null),
            new StoredHeader("trace", new byte[0]),
            header("delayed-by", "mine"),
            header(DelayHeaders.SOURCE, "delay-intake/3/100"),
            header(DelayHeaders.DUE_AT, "1760000001000"),
            header(DelayHeaders.DELIVERED_AT, "1760000001234"),
            header(DelayHeaders.ATTEMPT, "1"));
  }

  @Example
  void anArrivalNamesItsIdOnce() {
    assertThat(headers(arrival(schedule().with(DelayHeaders.ID, "o-1"))))
        .filteredOn(header -> header.name().equals(DelayHeaders.ID))
        .containsExactly(header(DelayHeaders.ID, "o-1"));
  }

  @Example
  void anArrivalKeepsNoControlHeaderButTheId() {
    IntakeRecord everything =
        schedule()
            .with(DelayHeaders.ID, "o-1")
            .with(DelayHeaders.OP, "schedule")
            .with(DelayHeaders.TTL_MS, "60000")
            .with(DelayHeaders.MAX_ATTEMPTS, "5")
            .with(DelayHeaders.SPREAD_MS, "0")
            .with(DelayHeaders.RETRY, "v1|7|3|1760000001000|-");

    assertThat(headers(arrival(everything)))
        .extracting(StoredHeader::name)
        .containsExactlyInAnyOrder(
            DelayHeaders.SOURCE,
            DelayHeaders.DUE_AT,
            DelayHeaders.DELIVERED_AT,
            DelayHeaders.ATTEMPT,
            DelayHeaders.ID);
  }

  @Example
  void anArrivalDoesNotRepeatWhatAnEarlierDeliveryWrote() {
    IntakeRecord again = schedule();
    DelayHeaders.ARRIVAL.forEach(name -> again.with(name, "old"));
    DelayHeaders.DEAD.forEach(name -> again.with(name, "old"));

    assertThat(headers(arrival(again)))
        .doesNotHaveDuplicates()
        .noneMatch(header -> "old".equals(text(header)))
        .noneMatch(header -> DelayHeaders.DEAD.contains(header.name()));
  }

  @Example
  void anArrivalOfALaterAttemptNamesItsOrigin() {
    IntakeRecord copy = schedule().with(DelayHeaders.RETRY, "v1|7|3|1760000001111|-");

    assertThat(headers(arrival(copy)))
        .contains(
            header(DelayHeaders.SOURCE, "delay-intake/3/7"),
            header(DelayHeaders.ATTEMPT, "3"),
            header(DelayHeaders.DUE_AT, "1760000001111"));
  }

  @Example
  void aDeadLetterKeepsEverythingAndAddsTheReason() {
    ProducerRecord<byte[], byte[]> record =
        dead(
            schedule()
                .key(new byte[] {1})
                .value(new byte[] {2})
                .withBytes("trace", null)
                .with("trace", "t")
                .with(DelayHeaders.ID, "o-1"),
            true);

    assertThat(record.topic()).isEqualTo("dead");
    assertThat(record.partition()).isNull();
    assertThat(record.key()).containsExactly(1);
    assertThat(record.value()).containsExactly(2);
    assertThat(headers(record))
        .containsExactly(
            header(DelayHeaders.TARGET_TOPIC, "orders"),
            header(DelayHeaders.DELAY_MS, "1000"),
            new StoredHeader("trace", null),
            header("trace", "t"),
            header(DelayHeaders.ID, "o-1"),
            header(DelayHeaders.DEAD_REASON, "UNKNOWN_TARGET"),
            header(DelayHeaders.DEAD_DETAIL, "no such topic"),
            header(DelayHeaders.DEAD_AT, "1760000001234"),
            header(DelayHeaders.SOURCE, "delay-intake/3/100"),
            header(DelayHeaders.ATTEMPT, "1"));
  }

  @Example
  void aDeadLetterOfAMalformedRequestKeepsEvenItsDuplicateControlHeaders() {
    IntakeRecord malformed = schedule().with(DelayHeaders.DELAY_MS, "2").withBytes("x", null);

    assertThat(headers(dead(malformed, true)))
        .startsWith(
            header(DelayHeaders.TARGET_TOPIC, "orders"),
            header(DelayHeaders.DELAY_MS, "1000"),
            header(DelayHeaders.DELAY_MS, "2"),
            new StoredHeader("x", null));
  }

  @Example
  void aDeadLetterReplacesTheHeadersOfAnEarlierOne() {
    IntakeRecord again = schedule();
    DelayHeaders.ARRIVAL.forEach(name -> again.with(name, "old"));
    DelayHeaders.DEAD.forEach(name -> again.with(name, "old"));

    assertThat(headers(dead(again, true)))
        .noneMatch(header -> "old".equals(text(header)))
        .extracting(StoredHeader::name)
        .doesNotHaveDuplicates()
        .contains(DelayHeaders.DEAD_REASON, DelayHeaders.DEAD_DETAIL, DelayHeaders.DEAD_AT);
  }

  @Example
  void aDeadLetterOfALaterAttemptNamesItsOriginAndAttempt() {
    IntakeRecord copy = schedule().with(DelayHeaders.RETRY, "v1|7|3|1760000001111|-");

    assertThat(headers(dead(copy, true)))
        .contains(
            header(DelayHeaders.SOURCE, "delay-intake/3/7"), header(DelayHeaders.ATTEMPT, "3"));
  }

  @Example
  void aDeadLetterThatMustBeSmallHasShortControlHeadersOnly() {
    ProducerRecord<byte[], byte[]> record =
        dead(
            schedule()
                .key(new byte[] {1})
                .value(new byte[] {2})
                .with("trace", "t")
                .with(DelayHeaders.OP, "x".repeat(513))
                .withBytes(DelayHeaders.ID, null)
                .with(DelayHeaders.SPREAD_MS, "y".repeat(512)),
            false);

    assertThat(record.key()).isNull();
    assertThat(record.value()).isNull();
    assertThat(headers(record))
        .extracting(StoredHeader::name)
        .containsExactly(
            DelayHeaders.TARGET_TOPIC,
            DelayHeaders.DELAY_MS,
            DelayHeaders.ID,
            DelayHeaders.SPREAD_MS,
            DelayHeaders.DEAD_REASON,
            DelayHeaders.DEAD_DETAIL,
            DelayHeaders.DEAD_AT,
            DelayHeaders.DEAD_CONTENT,
            DelayHeaders.SOURCE,
            DelayHeaders.ATTEMPT);
  }

  @Example
  void aDeadLetterThatMustBeSmallSaysWhereTheRestIs() {
    IntakeRecord copy = schedule().at(44).with(DelayHeaders.RETRY, "v1|7|3|1760000001111|-");

    assertThat(headers(dead(copy, false)))
        .filteredOn(header -> header.name().equals(DelayHeaders.DEAD_DETAIL))
        .singleElement()
        .satisfies(
            detail ->
                assertThat(text(detail)).contains("no such topic").contains("delay-intake/3/44"));
  }

  @Example
  void aRetryCopyGoesBackToThePartitionItCameFrom() {
    ProducerRecord<byte[], byte[]> record =
        record(schedule(), new Decision.Retry(Reason.UNKNOWN_TARGET, "", NOW + 1000));

    assertThat(record.topic()).isEqualTo(TOPIC);
    assertThat(record.partition()).isEqualTo(PARTITION);
    assertThat(record.timestamp()).isNull();
  }

  @Example
  void aRetryCopyHasAllHeadersAndTheMark() {
    IntakeRecord request =
        schedule().withBytes("trace", null).with(DelayHeaders.TTL_MS, "90000").with("trace", "t");

    assertThat(
            headers(
                record(request, new Decision.Retry(Reason.UNKNOWN_TARGET, "", 1_760_000_007_777L))))
        .containsExactly(
            header(DelayHeaders.TARGET_TOPIC, "orders"),
            header(DelayHeaders.DELAY_MS, "1000"),
            new StoredHeader("trace", null),
            header(DelayHeaders.TTL_MS, "90000"),
            header("trace", "t"),
            header(DelayHeaders.RETRY, "v1|100|2|1760000007777|1760000090000"));
  }

  @Example
  void nothingGoesOutForAMessageThatIsHeld() {
    assertThatThrownBy(() -> record(schedule(), new Decision.Hold("no dead-letter topic")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no dead-letter topic");
  }

  /** Over several attempts: what one turn writes, another reads. */
  @Property
  void aRetryCopyIsReadAsTheSameMessageOneAttemptLater(
      @ForAll("foreign") @Size(max = 4) List<StoredHeader> foreign,
      @ForAll("payload") byte[] key,
      @ForAll("payload") byte[] value,
      @ForAll @IntRange(min = 1, max = 5) int copies,
      @ForAll @LongRange(max = 1_000_000) long pause,
      @ForAll boolean expires) {
    IntakeRecord request = schedule().with(DelayHeaders.ID, "o-1").key(key).value(value);
    if (expires) {
      request.with(DelayHeaders.TTL_MS, "100000");
    }
    foreign.forEach(header -> request.withBytes(header.name(), header.value()));
    DelayedMessage original = request.parsed();

    DelayedMessage message = original;
    for (int i = 1; i <= copies; i++) {
      long due = NOW + i * pause;
      ProducerRecord<byte[], byte[]> copy =
          records
              .outgoing(SHARD, message, new Decision.Retry(Reason.UNAVAILABLE_TARGET, "", due), NOW)
              .record();
      message =
          empty()
              .at(OFFSET + 10L * i)
              .stamped(TIMESTAMP + 5_000L * i)
              .key(copy.key())
              .value(copy.value())
              .withAll(copy.headers())
              .parsed();
      assertThat(message.key()).isEqualTo(new Due(due, OFFSET + 10L * i));
    }

    assertThat(message.origin()).isEqualTo(OFFSET);
    assertThat(message.content().attempt()).isEqualTo(1 + copies);
    assertThat(message.content())
        .usingRecursiveComparison()
        .ignoringFields("attempt", "origin", "writtenAt")
        .isEqualTo(original.content());
  }

  /** Whatever the request looks like, its foreign headers arrive as they are. */
  @Property
  void foreignHeadersArriveByteForByte(
      @ForAll("foreign") @Size(max = 6) List<StoredHeader> foreign) {
    IntakeRecord request = schedule();
    foreign.forEach(header -> request.withBytes(header.name(), header.value()));

    assertThat(headers(arrival(request)).subList(0, foreign.size())).isEqualTo(foreign);
    assertThat(headers(arrival(request))).hasSize(foreign.size() + 4);
  }

  private static String text(StoredHeader header) {
    byte[] value = header.value();
    return value == null ? "" : new String(value, UTF_8);
  }

  @Provide
  Arbitrary<List<StoredHeader>> foreign() {
    return Combinators.combine(Arbitraries.of("a", "b", "", "delay", "Delay-Id"), payload())
        .as(StoredHeader::new)
        .list();
  }

  @Provide
  Arbitrary<byte[]> payload() {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(40).injectNull(0.2);
  }

  @Example
  void theCountOfReplaysGoesOnToTheTarget() {
    IntakeRecord replayed = schedule().with(DelayHeaders.REPLAY, "2");

    assertThat(headers(arrival(replayed))).contains(header(DelayHeaders.REPLAY, "2"));
  }

  @Example
  void theCountOfReplaysGoesOnToTheNextDeadLetterAlsoIfTheContentDoesNot() {
    IntakeRecord replayed = schedule().with(DelayHeaders.REPLAY, "2");

    assertThat(headers(dead(replayed, true))).contains(header(DelayHeaders.REPLAY, "2"));
    assertThat(headers(dead(replayed, false))).contains(header(DelayHeaders.REPLAY, "2"));
  }

  @Example
  void aDeadLetterWithoutItsContentSaysWhereThatIs() {
    StoredHeader pointer = header(DelayHeaders.DEAD_CONTENT, SHARD.source(OFFSET).toString());

    assertThat(headers(dead(schedule(), false))).contains(pointer);
    assertThat(headers(dead(schedule(), true)))
        .extracting(StoredHeader::name)
        .doesNotContain(DelayHeaders.DEAD_CONTENT);
  }
}
