package io.delaybridge.connect.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutboxTest {

  private static final ProducerRecord<byte[], byte[]> RECORD =
      new ProducerRecord<>("intake", new byte[] {1});
  private static final ProducerRecord<byte[], byte[]> LARGE =
      new ProducerRecord<>("dead", new byte[] {1});
  private static final ProducerRecord<byte[], byte[]> SMALL =
      new ProducerRecord<>("dead", new byte[0]);

  /** The latch that a send to the topic "dead" waits for; null for no wait. */
  private volatile @Nullable CountDownLatch missing;

  private volatile @Nullable Error dies;

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // Others may send meanwhile.
        @Override
        public Future<RecordMetadata> send(
            ProducerRecord<byte[], byte[]> record, Callback callback) {
          Error error = dies;
          if (error != null) {
            throw error;
          }
          CountDownLatch awaited = missing;
          if (awaited != null && record.topic().equals("dead")) {
            try {
              awaited.await();
            } catch (InterruptedException e) {
              throw new InterruptException(e);
            }
          }
          return super.send(record, callback);
        }
      };
  private final List<Throwable> broken = new CopyOnWriteArrayList<>();
  private final AtomicInteger written = new AtomicInteger();
  private final Outbox outbox = new Outbox(producer, Set.of("intake", "dead"), broken::add);

  @AfterEach
  void close() {
    outbox.close();
  }

  private void send() {
    outbox.send(List.of(RECORD, LARGE, SMALL), written::incrementAndGet);
    await().until(() -> producer.history().size() == 1);
  }

  @Test
  void saysWhenItIsWritten() {
    send();
    assertThat(written).hasValue(0);

    producer.completeNext();

    assertThat(written).hasValue(1);
  }

  @Test
  void goesOnWhileKafkaIsAway() {
    send();

    for (int i = 0; i < 3; i++) {
      producer.errorNext(new TimeoutException("no leader"));
      int sent = i + 2;
      await().until(() -> producer.history().size() == sent);
    }
    producer.completeNext();

    assertThat(written).hasValue(1);
    assertThat(broken).isEmpty();
    assertThat(producer.history()).containsOnly(RECORD);
  }

  @Test
  void writesTheNextSizeIfOneIsTooLarge() {
    send();

    producer.errorNext(new RecordTooLargeException("too large"));
    await().until(() -> producer.history().size() == 2);
    producer.errorNext(new RecordTooLargeException("too large"));
    await().until(() -> producer.history().size() == 3);
    producer.completeNext();

    assertThat(producer.history()).containsExactly(RECORD, LARGE, SMALL);
    assertThat(written).hasValue(1);
  }

  @Test
  void givesUpWhenEvenTheSmallestIsTooLarge() {
    outbox.send(List.of(SMALL), written::incrementAndGet);
    await().until(() -> producer.history().size() == 1);

    producer.errorNext(new RecordTooLargeException("too large"));

    assertThat(written).hasValue(0);
    assertThat(broken).hasSize(1);
  }

  @Test
  void givesUpWhenKafkaRefusesForGood() {
    send();

    producer.errorNext(new TopicAuthorizationException("intake"));

    assertThat(written).hasValue(0);
    assertThat(broken)
        .singleElement()
        .satisfies(e -> assertThat(e.getMessage()).startsWith("topic intake refuses a record"));
  }

  @Test
  void goesOnWithOneTopicWhileAnotherIsMissing() {
    CountDownLatch created = new CountDownLatch(1);
    missing = created;
    outbox.send(List.of(SMALL), written::incrementAndGet);

    send();
    producer.completeNext();

    assertThat(producer.history()).containsExactly(RECORD);
    assertThat(written).hasValue(1);

    created.countDown();
    await().until(() -> producer.history().size() == 2);
    producer.completeNext();
    assertThat(written).hasValue(2);
  }

  @Test
  void takesNothingAfterTheEnd() {
    outbox.close();

    outbox.send(List.of(RECORD), written::incrementAndGet);

    assertThat(written).hasValue(0);
    assertThat(broken).isEmpty();
  }

  @Test
  void isBrokenIfTheProducerDoesNotEvenTakeIt() {
    producer.sendException = new IllegalStateException("the sender has died");

    outbox.send(List.of(RECORD), written::incrementAndGet);

    await().until(() -> !broken.isEmpty());
    assertThat(broken.get(0)).hasMessageContaining("topic intake refuses a record");
    assertThat(written).hasValue(0);
  }

  @Test
  void anErrorOfTheProducerIsTold() {
    Error error = new NoClassDefFoundError("gone");
    dies = error;

    outbox.send(List.of(RECORD), written::incrementAndGet);

    await().until(() -> !broken.isEmpty());
    assertThat(broken).containsExactly(error);
    assertThat(written).hasValue(0);
  }

  @Test
  void anErrorAfterTheWriteIsTold() {
    Error error = new NoClassDefFoundError("gone");
    outbox.send(
        List.of(RECORD),
        () -> {
          throw error;
        });
    await().until(() -> producer.history().size() == 1);

    producer.completeNext();

    assertThat(broken).containsExactly(error);
  }
}
