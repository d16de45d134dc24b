package io.delaybridge.admin.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.admin.limits.IntakeLimits.Limits;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import io.delaybridge.store.PendingView.Summary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuotaGuardTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private static final long NOW = 9_000_000_000L;
  private static final ShardId AWAY = new ShardId("away", 0);
  private static final ShardId SLOW = new ShardId("slow", 0);
  private static final ShardId BLUE = new ShardId("blue", 0);
  private static final ShardId FULL = new ShardId("full", 0);

  /** An intake that accepts no writes, such as one whose partitions have no leader. */
  private static final class Half extends MockProducer<byte[], byte[]> {
    private int refused;

    Half() {
      super(Cluster.empty(), true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      if (record.topic().equals(AWAY.topic())) {
        refused++;
        return CompletableFuture.failedFuture(new TimeoutException("no leader"));
      }
      return super.send(record, callback);
    }

    synchronized int refused() {
      return refused;
    }

    /** Offsets of the messages that the asks name. */
    synchronized List<String> pending() {
      return history().stream()
          .map(record -> record.headers().lastHeader(DelayHeaders.PENDING).value())
          .map(value -> new String(value, StandardCharsets.UTF_8).split("/", -1)[0])
          .toList();
    }

    synchronized List<String> topics() {
      return history().stream().map(ProducerRecord::topic).toList();
    }
  }

  private final Half producer = new Half();

  /** What the store has. */
  private volatile List<Summary> stored = List.of();

  private QuotaGuard guard = guard(Duration.ofMillis(1));

  private QuotaGuard guard(Duration lastPasses) {
    return new QuotaGuard(
        new IntakeLimits(
            Map.of(
                AWAY.topic(),
                new Limits(1, 0, 0),
                BLUE.topic(),
                new Limits(1, 0, 0),
                SLOW.topic(),
                new Limits(0, 0, 2),
                FULL.topic(),
                new Limits(0, 2, 0)),
            () -> stored,
            List::of,
            () -> Instant.ofEpochMilli(NOW)),
        new IntakeWriter(() -> producer, () -> producer, InstantSource.system(), 1_000),
        lastPasses);
  }

  @AfterEach
  void stop() throws InterruptedException {
    guard.stop();
  }

  private boolean tooLarge(ShardId shard, long offset) {
    return guard.admitted(shard, message(offset, StoredMessage.SELF, StoredMessage.NEAR), 0);
  }

  private static DelayedMessage message(long offset, long origin, long farDue) {
    return new DelayedMessage(
        new Due(10_000_000_000L, offset),
        new StoredMessage(
            null,
            new byte[2],
            List.of(),
            1,
            0,
            StoredMessage.NO_EXPIRY,
            origin,
            null,
            null,
            null,
            0,
            farDue,
            StoredMessage.SELF));
  }

  @Test
  void anIntakeThatTakesNoWritesHoldsUpNoOther() {
    tooLarge(AWAY, 0);
    tooLarge(AWAY, 1);
    guard.start();
    await().atMost(SOON).until(() -> producer.refused() > 0);
    tooLarge(BLUE, 0);

    await().atMost(SOON).untilAsserted(() -> assertThat(producer.topics()).containsExactly("blue"));
  }

  /** A send to it may wait for seconds. */
  @Test
  void ofAnIntakeThatTakesNoWritesOneIsTriedInEachPass() {
    tooLarge(AWAY, 0);
    tooLarge(AWAY, 1);
    tooLarge(AWAY, 2);
    tooLarge(BLUE, 0);
    guard.start();

    await().atMost(SOON).untilAsserted(() -> assertThat(producer.topics()).containsExactly("blue"));
    assertThat(producer.refused()).isLessThan(3);
  }

  @Test
  void whatAnIntakeDidNotTakeIsTriedAgain() {
    tooLarge(AWAY, 0);
    guard.start();

    await().atMost(SOON).untilAsserted(() -> assertThat(producer.refused()).isGreaterThan(1));
  }

  @Test
  void whatWaitsAtTheEndIsStillRejected() throws InterruptedException {
    guard = guard(SOON);
    LongStream.range(0, 1_500).forEach(offset -> tooLarge(BLUE, offset));
    guard.start();

    guard.stop();

    assertThat(producer.topics()).hasSize(1_500);
  }

  /** Otherwise it would keep the process from its end. */
  @Test
  void whatAnIntakeDoesNotTakeAtTheEndIsGivenUp() throws InterruptedException {
    tooLarge(AWAY, 0);
    tooLarge(BLUE, 0);
    guard.start();
    await().atMost(SOON).until(() -> producer.topics().contains("blue"));

    guard.stop();

    assertThat(producer.topics()).containsExactly("blue");
  }

  /** A request over the limit ends neither repeating nor pending messages. */
  @Test
  void anOccurrenceCountsAndIsNotRejected() {
    LongStream.of(1, 2, 3)
        .forEach(offset -> guard.admitted(SLOW, message(offset, 0, StoredMessage.NEAR), 0));
    guard.admitted(SLOW, message(7, StoredMessage.SELF, StoredMessage.NEAR), 0);
    guard.start();

    await().atMost(SOON).untilAsserted(() -> assertThat(producer.pending()).containsExactly("7"));
  }

  private void admit(long... offsets) {
    LongStream.of(offsets)
        .forEach(
            offset ->
                guard.admitted(FULL, message(offset, StoredMessage.SELF, StoredMessage.NEAR), 0));
  }

  private static Summary summary(long next, long pending) {
    return new Summary(FULL, next, 0, pending, 0, 0);
  }

  /** A producer that replaces its messages all the time never has more than two. */
  @Test
  void whatWasReplacedOrCancelledMeanwhileIsNotPending() {
    admit(0, 1, 2, 3);
    stored = List.of(summary(4, 2));
    guard.start();
    tooLarge(BLUE, 4);
    await().atMost(SOON).untilAsserted(() -> assertThat(producer.topics()).containsExactly("blue"));

    stored = List.of(summary(6, 3));
    admit(5);
    await().atMost(SOON).untilAsserted(() -> assertThat(producer.pending()).contains("5"));
    assertThat(producer.pending()).containsExactly("4", "5");
  }

  @Test
  void onlyAsManyAreRejectedAsAreTooMany() {
    admit(0, 1, 2, 3, 4);
    stored = List.of(summary(5, 3));
    guard.start();
    tooLarge(BLUE, 9);

    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(producer.pending()).containsExactlyInAnyOrder("4", "9"));
  }

  /** It is pending until the store has read the rejection. */
  @Test
  void aMessageWhoseRejectionIsUnderWayMakesRoom() {
    for (int i = 0; i < 100; i++) {
      assertThat(producer.send(new ProducerRecord<>(FULL.topic(), 0, null, null))).isDone();
    }
    producer.clear();
    stored = List.of(summary(3, 3));
    admit(0, 1, 2);
    guard.start();
    await().atMost(SOON).untilAsserted(() -> assertThat(producer.pending()).containsExactly("2"));

    // It replaces another one.
    stored = List.of(summary(4, 3));
    admit(3);
    tooLarge(BLUE, 9);
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(producer.pending()).containsExactly("2", "9"));

    stored = List.of(summary(101, 3));
    admit(100);
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(producer.pending()).containsExactly("2", "9", "100"));
  }

  @Test
  void whatIsNotStoredYetIsJudgedOnceItIs() {
    stored = List.of(summary(2, 2));
    admit(0, 1, 2);
    guard.start();
    tooLarge(BLUE, 9);
    await().atMost(SOON).untilAsserted(() -> assertThat(producer.topics()).containsExactly("blue"));

    stored = List.of(summary(3, 3));

    await().atMost(SOON).untilAsserted(() -> assertThat(producer.pending()).contains("2"));
  }

  /** It leaves before an ask about it would be read. */
  @Test
  void aFarMessageIsRefusedWhereItWouldLeave() throws InterruptedException {
    guard = guard(SOON);
    boolean far = guard.admitted(BLUE, message(0, StoredMessage.SELF, 20_000_000_000L), 0);
    boolean near = tooLarge(BLUE, 1);
    guard.start();
    guard.stop();

    assertThat(far).isTrue();
    assertThat(near).isFalse();
    assertThat(producer.pending()).containsExactly("1");
  }

  @Test
  void whatIsDueAtOnceIsRefusedBeforeItGoesOut() {
    assertThat(guard.admitted(BLUE, dueNow(1), 0)).isTrue();
    assertThat(guard.admitted(SLOW, dueNow(1), 0)).isFalse();
    assertThat(guard.admitted(SLOW, dueNow(2), 0)).isFalse();
    assertThat(guard.admitted(SLOW, dueNow(3), 0)).isTrue();
  }

  /** Its occurrences would be pending for ever, and are never rejected. */
  @Test
  void ofWhatIsDueAtOnceOnlyWhatRepeatsIsOneTooManyThatArePending() {
    admit(1, 2);

    assertThat(guard.admitted(FULL, dueNow(3), 0)).isFalse();
    assertThat(guard.admitted(FULL, dueNow(4, DelayHeaders.EVERY, "PT1M"), 0)).isTrue();
  }

  private static DelayedMessage dueNow(long offset, String... header) {
    StoredMessage content = message(offset, StoredMessage.SELF, StoredMessage.NEAR).content();
    List<StoredHeader> headers =
        header.length == 0
            ? List.of()
            : List.of(new StoredHeader(header[0], header[1].getBytes(StandardCharsets.UTF_8)));
    return new DelayedMessage(new Due(NOW, offset), content.withHeaders(headers));
  }

  @Test
  void aFarOccurrenceCountsAndIsNotRejected() {
    assertThat(guard.admitted(BLUE, message(1, 0, 20_000_000_000L), 0)).isFalse();
  }
}
