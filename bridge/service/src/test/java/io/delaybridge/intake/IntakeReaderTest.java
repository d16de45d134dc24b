package io.delaybridge.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.intake.IntakeReader.NotReadException;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Request;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayHeaders;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** The intake has the offsets 3 to 9; where 5 and 6 would be are markers of transactions. */
class IntakeReaderTest {

  private static final TopicPartition PARTITION = new TopicPartition("in", 0);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
  private long nanos;
  private final IntakeReader reader =
      new IntakeReader(() -> consumer, () -> nanos++, Duration.ofNanos(20));

  IntakeReaderTest() {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 3L));
    consumer.updateEndOffsets(Map.of(PARTITION, 10L));
  }

  @Test
  void tellsTheKeyOfARecord() throws Exception {
    nextPollHas(4);

    assertThat(read(4)).map(request -> ((DelayedMessage) request).key()).contains(new Due(1500, 4));
  }

  @Test
  void aMarkerIsNoRecord() throws Exception {
    nextPollHas(7);

    assertThat(read(5)).isEmpty();
  }

  @Test
  void whatIsDeletedOrNotWrittenYetIsNotThere() throws Exception {
    assertThat(read(2)).isEmpty();
    assertThat(read(10)).isEmpty();
  }

  @Test
  void doesNotWaitForEver() {
    assertThatThrownBy(() -> read(4)).isInstanceOf(NotReadException.class);
  }

  @Test
  void kafkaThatFailsIsSaid() {
    consumer.setOffsetsException(new KafkaException("away"));

    assertThatThrownBy(() -> read(4))
        .isInstanceOf(NotReadException.class)
        .hasMessageContaining("in/0/4")
        .hasMessageContaining("away");
    assertThat(consumer.closed()).isTrue();
  }

  /** Asked about a partition that has no leader. */
  private static final class Stuck extends MockConsumer<byte[], byte[]> {
    private final CountDownLatch waits = new CountDownLatch(1);
    private final CountDownLatch answers = new CountDownLatch(1);

    Stuck() {
      super("none");
      updateEndOffsets(Map.of(new TopicPartition("in", 1), 0L));
    }

    @Override
    public synchronized Map<TopicPartition, Long> beginningOffsets(
        Collection<TopicPartition> partitions) {
      waits.countDown();
      try {
        answers.await();
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
      return Map.of();
    }
  }

  @Test
  void aPartitionThatDoesNotAnswerHoldsUpNoOther() throws Exception {
    Stuck stuck = new Stuck();
    Deque<MockConsumer<byte[], byte[]>> made = new ArrayDeque<>(List.of(stuck, consumer));
    IntakeReader busy = new IntakeReader(made::remove, () -> nanos++, Duration.ofNanos(20));
    nextPollHas(4);
    CompletableFuture<Optional<Long>> other = timestamp(busy, 1);
    stuck.waits.await();

    assertThat(timestamp(busy, 0).get(60, TimeUnit.SECONDS)).contains(1000L);
    assertThat(consumer.closed()).isTrue();
    assertThat(other).isNotDone();
    stuck.answers.countDown();
    assertThat(other.get(60, TimeUnit.SECONDS)).isEmpty();
    assertThat(stuck.closed()).isFalse();
  }

  @Test
  void closingDoesNotWaitForAQuestion() throws Exception {
    Stuck stuck = new Stuck();
    IntakeReader busy = new IntakeReader(() -> stuck, () -> nanos++, Duration.ofNanos(20));
    CompletableFuture<Optional<Long>> question = timestamp(busy, 1);
    stuck.waits.await();

    CompletableFuture.runAsync(busy::close).get(60, TimeUnit.SECONDS);

    assertThat(question).isNotDone();
    stuck.answers.countDown();
    assertThat(question.get(60, TimeUnit.SECONDS)).isEmpty();
  }

  private static CompletableFuture<Optional<Long>> timestamp(IntakeReader reader, int partition) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return reader.timestamp(new Source("in", partition, 4));
          } catch (NotReadException | InterruptedException e) {
            throw new CompletionException(e);
          }
        });
  }

  @Test
  void readsAllCopiesIfTheyAreFew() throws Exception {
    nextPollHas(4, 7, 8, 9);

    assertThat(copies(4, 10)).containsExactly(4L, 7L, 8L, 9L);
  }

  @Test
  void readsSomeCopiesIfTheyAreMany() throws Exception {
    consumer.updateEndOffsets(Map.of(PARTITION, 403L));
    for (int i = 0; i < 20; i++) {
      long spot = 3 + i * 20L;
      nextPollHas(spot, spot + 1, spot + 2);
    }

    List<Long> copies = copies(0, 40);

    assertThat(copies).hasSize(40).startsWith(3L, 4L, 23L, 24L).endsWith(383L, 384L);
  }

  @Test
  void readsFewerCopiesThanThereAreSpots() throws Exception {
    consumer.updateEndOffsets(Map.of(PARTITION, 403L));
    nextPollHas(3, 4);
    nextPollHas(203, 204);

    assertThat(copies(0, 2)).containsExactly(3L, 203L);
  }

  @Test
  void whereNothingIsAreNoCopies() throws Exception {
    assertThat(copies(10, 10)).isEmpty();
  }

  @Test
  void doesNotWaitForCopiesForEver() {
    assertThatThrownBy(() -> copies(4, 10)).isInstanceOf(NotReadException.class);
  }

  /** The offsets of what comes; these are no copies, which a copy that is malformed tells. */
  private List<Long> copies(long from, int most) throws Exception {
    return reader.copies(new Source("in", 0, from), most, DelayedMessage::recordOffset);
  }

  private Optional<Request> read(long offset) throws Exception {
    return reader.read(new Source("in", 0, offset), Reading.latest(1_000_000, 0));
  }

  private void nextPollHas(long... offsets) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(DelayHeaders.TARGET_TOPIC, "out".getBytes(UTF_8));
    headers.add(DelayHeaders.DELAY_MS, "500".getBytes(UTF_8));
    consumer.schedulePollTask(
        () -> {
          for (long offset : offsets) {
            consumer.addRecord(
                new ConsumerRecord<>(
                    "in",
                    0,
                    offset,
                    1000,
                    TimestampType.CREATE_TIME,
                    0,
                    0,
                    null,
                    new byte[0],
                    headers,
                    Optional.empty()));
          }
        });
  }
}
