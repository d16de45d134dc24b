package io.delaybridge.admin.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.admin.limits.IntakeLimits.Limits;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredMessage;
import io.delaybridge.shard.LoopListener.Admitted;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
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

  private static final ShardId AWAY = new ShardId("away", 0);
  private static final ShardId SLOW = new ShardId("slow", 0);
  private static final ShardId BLUE = new ShardId("blue", 0);

  /** An intake that accepts no writes, such as one whose partitions have no leader. */
  private static final class Half extends MockProducer<byte[], byte[]> {
    private int refused;

    Half() {
      super(Cluster.empty(), true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      if (record.topic().equals(AWAY.topic())) {
        refused++;
        return CompletableFuture.failedFuture(new TimeoutException("no leader"));
      }
      return super.send(record);
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
  private final QuotaGuard guard =
      new QuotaGuard(
          new IntakeLimits(
              Map.of(
                  AWAY.topic(),
                  new Limits(1, 0, 0),
                  BLUE.topic(),
                  new Limits(1, 0, 0),
                  SLOW.topic(),
                  new Limits(0, 0, 2)),
              List::of,
              List::of,
              InstantSource.system()),
          new IntakeWriter(() -> producer, () -> producer, InstantSource.system(), 1_000));

  @AfterEach
  void stop() throws InterruptedException {
    guard.stop();
  }

  private static Admitted tooLarge(long offset) {
    return admitted(offset, StoredMessage.SELF);
  }

  private static Admitted admitted(long offset, long origin) {
    return new Admitted(
        new DelayedMessage(
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
                StoredMessage.NEAR,
                StoredMessage.SELF)),
        0);
  }

  @Test
  void anIntakeThatTakesNoWritesHoldsUpNoOther() {
    guard.admitted(AWAY, List.of(tooLarge(0), tooLarge(1)));
    guard.start();
    await().atMost(SOON).until(() -> producer.refused() > 0);
    guard.admitted(BLUE, List.of(tooLarge(0)));

    await().atMost(SOON).untilAsserted(() -> assertThat(producer.topics()).containsExactly("blue"));
  }

  /** A send to it may wait for seconds. */
  @Test
  void ofAnIntakeThatTakesNoWritesOneIsTriedInEachPass() {
    guard.admitted(AWAY, List.of(tooLarge(0), tooLarge(1), tooLarge(2)));
    guard.admitted(BLUE, List.of(tooLarge(0)));
    guard.start();

    await().atMost(SOON).untilAsserted(() -> assertThat(producer.topics()).containsExactly("blue"));
    assertThat(producer.refused()).isLessThan(3);
  }

  @Test
  void whatAnIntakeDidNotTakeIsTriedAgain() {
    guard.admitted(AWAY, List.of(tooLarge(0)));
    guard.start();

    await().atMost(SOON).untilAsserted(() -> assertThat(producer.refused()).isGreaterThan(1));
  }

  @Test
  void whatWaitsAtTheEndIsStillRejected() throws InterruptedException {
    List<Admitted> many = LongStream.range(0, 1_500).mapToObj(QuotaGuardTest::tooLarge).toList();
    guard.admitted(BLUE, many);
    guard.start();

    guard.stop();

    assertThat(producer.topics()).hasSize(1_500);
  }

  /** Otherwise it would keep the process from its end. */
  @Test
  void whatAnIntakeDoesNotTakeAtTheEndIsGivenUp() throws InterruptedException {
    guard.admitted(AWAY, List.of(tooLarge(0)));
    guard.admitted(BLUE, List.of(tooLarge(0)));
    guard.start();

    guard.stop();

    assertThat(producer.topics()).containsExactly("blue");
  }

  /** A request over the limit ends neither repeating nor pending messages. */
  @Test
  void anOccurrenceCountsAndIsNotRejected() {
    guard.admitted(SLOW, List.of(admitted(1, 0), admitted(2, 0), admitted(3, 0)));
    guard.admitted(SLOW, List.of(admitted(7, StoredMessage.SELF)));
    guard.start();

    await().atMost(SOON).untilAsserted(() -> assertThat(producer.pending()).containsExactly("7"));
  }
}
