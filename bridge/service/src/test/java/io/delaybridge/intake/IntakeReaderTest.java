package io.delaybridge.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.intake.IntakeReader.NotReadException;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Request;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
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

  private Optional<Request> read(long offset) throws Exception {
    return reader.read(new Source("in", 0, offset), 1_000_000);
  }

  private void nextPollHas(long offset) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(DelayHeaders.TARGET_TOPIC, "out".getBytes(UTF_8));
    headers.add(DelayHeaders.DELAY_MS, "500".getBytes(UTF_8));
    consumer.schedulePollTask(
        () ->
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
                    Optional.empty())));
  }
}
