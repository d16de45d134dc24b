package io.delaybridge.delivery;

import static io.delaybridge.delivery.RecordsTest.header;
import static io.delaybridge.delivery.RecordsTest.headers;
import static io.delaybridge.intake.IntakeRecord.OFFSET;
import static io.delaybridge.intake.IntakeRecord.PARTITION;
import static io.delaybridge.intake.IntakeRecord.TIMESTAMP;
import static io.delaybridge.intake.IntakeRecord.TOPIC;
import static io.delaybridge.intake.IntakeRecord.WEEK;
import static io.delaybridge.intake.IntakeRecord.empty;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.intake.IntakeRecord;
import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What a far message keeps on its way through the later topic: what one turn writes is read. */
class FarRecordsTest {

  private static final ShardId SHARD = new ShardId(TOPIC, PARTITION);
  private static final ShardId LATER = new ShardId(DelayTopics.laterOf(TOPIC), PARTITION);
  private static final long HORIZON = 60_000;
  private static final long LAP = 30_000;
  private static final long DUE = TIMESTAMP + 600_000;
  private static final long EXPIRES = TIMESTAMP + 700_000;

  private final Records records = new Records("dead");

  private static IntakeRecord request() {
    return empty()
        .with(DelayHeaders.TARGET_TOPIC, "orders")
        .with(DelayHeaders.DELAY_MS, "600000")
        .with(DelayHeaders.TTL_MS, "700000")
        .with(DelayHeaders.MAX_ATTEMPTS, "5")
        .with(DelayHeaders.ID, "o-1");
  }

  /** A message that was near, has failed twice and was moved beyond the horizon since. */
  private static IntakeRecord moved() {
    return request().with(DelayHeaders.RETRY, "v1|7|3|%d|%d".formatted(DUE, EXPIRES));
  }

  private static DelayedMessage read(IntakeRecord record) {
    return (DelayedMessage) RequestParser.parse(record.build(), Reading.latest(WEEK, HORIZON));
  }

  private static IntakeRecord written(ProducerRecord<byte[], byte[]> record, long at, long when) {
    return empty()
        .at(at)
        .stamped(when)
        .key(record.key())
        .value(record.value())
        .withAll(record.headers());
  }

  private ProducerRecord<byte[], byte[]> leaves(DelayedMessage message, Decision decision) {
    return records.outgoing(SHARD, message, decision, TIMESTAMP).record();
  }

  private ProducerRecord<byte[], byte[]> judged(DelayedMessage copy, Decision decision) {
    return records.ofLap(SHARD, copy, decision, TIMESTAMP).record();
  }

  private static void assertIsIn(ShardId place, ProducerRecord<byte[], byte[]> record) {
    assertThat(record.topic()).isEqualTo(place.topic());
    assertThat(record.partition()).isEqualTo(place.partition());
    assertThat(record.timestamp()).isNull();
  }

  @Example
  void aCopyGoesToTheLaterTopicWithAllHeadersAndTheMark() {
    ProducerRecord<byte[], byte[]> copy =
        leaves(read(request().with("trace", "t")), new Decision.Later(DUE));

    assertIsIn(LATER, copy);
    assertThat(headers(copy))
        .containsExactly(
            header(DelayHeaders.TARGET_TOPIC, "orders"),
            header(DelayHeaders.DELAY_MS, "600000"),
            header(DelayHeaders.TTL_MS, "700000"),
            header(DelayHeaders.MAX_ATTEMPTS, "5"),
            header(DelayHeaders.ID, "o-1"),
            header("trace", "t"),
            header(DelayHeaders.RETRY, "v2|100|1|1760000600000|1760000700000"));
  }

  @Example
  void aCopyOfWhatWasTriedBeforeKeepsItsOriginAndAttempt() {
    DelayedMessage message = read(moved());
    assertThat(message.isFar()).isTrue();
    StoredHeader mark = header(DelayHeaders.RETRY, "v2|7|3|1760000600000|1760000700000");

    ProducerRecord<byte[], byte[]> copy = leaves(message, new Decision.Later(DUE));
    assertThat(headers(copy)).endsWith(mark);
    DelayedMessage lap = RequestParser.copy(written(copy, 5, TIMESTAMP).build());
    assertThat(headers(judged(lap, new Decision.Later(DUE)))).endsWith(mark);
    assertThat(headers(judged(lap, new Decision.Home(DUE)))).endsWith(mark);
  }

  @Example
  void aCopyThatNeverExpiresSaysSo() {
    DelayedMessage message = read(empty().with(DelayHeaders.DELAY_MS, "600000"));

    assertThat(headers(leaves(message, new Decision.Later(DUE))))
        .endsWith(header(DelayHeaders.RETRY, "v2|100|1|1760000600000|-"));
  }

  /** Over any number of laps; with none, the message was read so late that it goes home at once. */
  @Property
  void aMessageThatComesHomeIsTheOneThatLeft(
      @ForAll("foreign") @Size(max = 4) List<StoredHeader> foreign,
      @ForAll("payload") byte[] key,
      @ForAll("payload") byte[] value,
      @ForAll @IntRange(max = 5) int laps,
      @ForAll boolean moved) {
    IntakeRecord request = (moved ? moved() : request()).key(key).value(value);
    foreign.forEach(header -> request.withBytes(header.name(), header.value()));
    DelayedMessage original = read(request);
    assertThat(original.isFar()).isTrue();

    ProducerRecord<byte[], byte[]> home = leaves(original, new Decision.Home(DUE));
    ProducerRecord<byte[], byte[]> later = leaves(original, new Decision.Later(DUE));
    for (int lap = 1; lap <= laps; lap++) {
      assertIsIn(LATER, later);
      DelayedMessage copy = RequestParser.copy(written(later, lap, TIMESTAMP + lap * LAP).build());
      assertIsTheSame(copy, original, lap);
      home = judged(copy, new Decision.Home(DUE));
      later = judged(copy, new Decision.Later(DUE));
    }

    assertIsIn(SHARD, home);
    assertIsTheSame(read(written(home, OFFSET + 50, DUE - HORIZON)), original, OFFSET + 50);
  }

  private static void assertIsTheSame(DelayedMessage copy, DelayedMessage original, long readAt) {
    assertThat(copy.isMalformed()).isFalse();
    assertThat(copy.isFar()).isFalse();
    assertThat(copy.key()).isEqualTo(new Due(DUE, original.origin()));
    assertThat(copy.readAt()).isEqualTo(readAt);
    assertThat(copy.origin()).isEqualTo(original.origin());
    assertThat(copy.id()).isEqualTo("o-1");
    assertThat(copy.target()).isEqualTo("orders");
    StoredMessage content = copy.content();
    assertThat(content.expiresAt()).isEqualTo(EXPIRES);
    assertThat(content.maxAttempts()).isEqualTo(5);
    assertThat(content.attempt()).isEqualTo(original.content().attempt());
    assertThat(content)
        .usingRecursiveComparison()
        .ignoringFields("origin", "writtenAt", "farDue", "readAt")
        .isEqualTo(original.content());
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
}
