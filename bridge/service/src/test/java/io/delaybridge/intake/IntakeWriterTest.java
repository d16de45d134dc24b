package io.delaybridge.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.intake.IntakeWriter.NotWrittenException;
import io.delaybridge.message.Reading;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IntakeWriterTest {

  private static final Letter LETTER = new Letter("in", 0, null, new byte[] {1}, Map.of());

  private final List<Stub> plain = new ArrayList<>();
  private final List<Stub> compressing = new ArrayList<>();
  private @Nullable RuntimeException plainRefuses;
  private @Nullable RuntimeException compressingRefuses;
  private final IntakeWriter writer =
      new IntakeWriter(
          () -> {
            plain.add(new Stub(plainRefuses));
            return plain.get(plain.size() - 1);
          },
          () -> {
            compressing.add(new Stub(compressingRefuses));
            return compressing.get(compressing.size() - 1);
          },
          InstantSource.system(),
          1_000);

  private static final class Stub extends MockProducer<byte[], byte[]> {

    @Nullable RuntimeException refuses;

    Stub(@Nullable RuntimeException refuses) {
      super(Cluster.empty(), true, null, new ByteArraySerializer(), new ByteArraySerializer());
      this.refuses = refuses;
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      if (refuses == null) {
        return super.send(record, callback);
      }
      callback.onCompletion(null, refuses);
      return CompletableFuture.failedFuture(refuses);
    }
  }

  @Test
  void whatFitsIsNotCompressed() throws Exception {
    writer.begin(LETTER, IntakeRecord.READING).await();

    assertThat(compressing).isEmpty();
  }

  @Test
  void whatIsTooLargeAsItIsIsCompressed() throws Exception {
    plainRefuses = new RecordTooLargeException("2 MB");

    writer.begin(LETTER, IntakeRecord.READING).await();
    writer.begin(LETTER, IntakeRecord.READING).await();
    writer.close();

    assertThat(compressing).hasSize(1);
    assertThat(compressing.get(0).history()).hasSize(2);
    assertThat(compressing.get(0).closed()).isTrue();
  }

  @Test
  void whatIsTooLargeEvenThenIsRefused() {
    plainRefuses = new RecordTooLargeException("2 MB");
    compressingRefuses = new RecordTooLargeException("still 2 MB");

    assertThatThrownBy(() -> writer.begin(LETTER, IntakeRecord.READING).await())
        .isInstanceOfSatisfying(
            NotWrittenException.class,
            e -> assertThat(e.why()).isEqualTo(NotWrittenException.Why.TOO_LARGE))
        .hasMessage("still 2 MB");
  }

  /** It may have failed to authenticate when it began: then it never asks for its id again. */
  @Test
  void aProducerThatHasNeverWrittenIsMadeAnewAfterATimeOut() throws Exception {
    plainRefuses = new TimeoutException("no answer");
    assertThatThrownBy(() -> writer.begin(LETTER, Reading.latest(1_000, 0)).await())
        .isInstanceOf(NotWrittenException.class);
    plainRefuses = null;

    writer.begin(LETTER, Reading.latest(1_000, 0)).await();

    assertThat(plain).extracting(MockProducer::closed).containsExactly(true, false);
  }

  @Test
  void aProducerThatHasWrittenStaysAfterATimeOut() throws Exception {
    writer.begin(LETTER, Reading.latest(1_000, 0)).await();
    plain.get(0).refuses = new TimeoutException("no leader");

    assertThatThrownBy(() -> writer.begin(LETTER, Reading.latest(1_000, 0)).await())
        .isInstanceOf(NotWrittenException.class);

    assertThat(plain).extracting(MockProducer::closed).containsExactly(false);
  }

  @Test
  void aProducerInAStateThatItDoesNotLeaveIsMadeAnew() throws Exception {
    writer.begin(LETTER, Reading.latest(1_000, 0)).await();
    plain.get(0).refuses = new KafkaException("an earlier request has failed");

    assertThatThrownBy(() -> writer.begin(LETTER, Reading.latest(1_000, 0)).await())
        .isInstanceOf(NotWrittenException.class);
    writer.begin(LETTER, Reading.latest(1_000, 0)).await();

    assertThat(plain).extracting(MockProducer::closed).containsExactly(true, false);
  }

  @Test
  void whatIsRefusedForAnotherReasonIsNotTriedAgain() {
    plainRefuses = new InvalidTopicException("no such name");

    assertThatThrownBy(() -> writer.begin(LETTER, IntakeRecord.READING).await())
        .isInstanceOf(NotWrittenException.class);
    assertThat(compressing).isEmpty();
  }
}
