package io.delaybridge.deadletter.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.deadletter.index.MarkStore;
import io.delaybridge.deadletter.letters.Contents;
import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.letters.LetterReader;
import io.delaybridge.deadletter.letters.Letters;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.MarkCodec;
import io.delaybridge.deadletter.marks.Marks;
import io.delaybridge.deadletter.marks.ReplayJob;
import io.delaybridge.message.Reading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class ReplayRunTest {

  private final MarkCodec codec = new MarkCodec(Letters.MARKS);
  private final MarkStore marks = new MarkStore();
  private final Reader reader = new Reader();

  /** Does not answer as often as is said; then the topic has nothing. */
  private static final class Reader extends MockConsumer<byte[], byte[]> {

    private int failures;

    Reader() {
      super("none");
      TopicPartition place = new TopicPartition(Letters.TOPIC, 0);
      updateBeginningOffsets(Map.of(place, 0L));
      updateEndOffsets(Map.of(place, 0L));
    }

    @Override
    public synchronized List<PartitionInfo> partitionsFor(String topic) {
      if (failures-- > 0) {
        throw new TimeoutException("no answer");
      }
      return List.of();
    }
  }

  private ReplayRun run(Supplier<Producer<byte[], byte[]>> producers, List<DeadLetter> letters) {
    return new ReplayRun(
        new ReplayJobs.ReplayTools(
            new Contents(() -> new LetterReader(reader, () -> 0)),
            new Ledger(producers, () -> marks, codec, Duration.ofMillis(1)),
            codec,
            new ReplayRecords(intake -> Reading.latest(0, 0)),
            Duration.ofMillis(1)),
        letters,
        new ReplayJob(
            "job", "a", ReplayJob.State.RUNNING, letters.size(), 0, 0, 0, 100, Letters.AT, null),
        "me",
        () -> Instant.ofEpochMilli(Letters.AT),
        () -> 0);
  }

  private static MockProducer<byte[], byte[]> producer() {
    return new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Test
  void aReplayWhoseEndCanNotBeNotedHasNotFailed() {
    ReplayRun run =
        run(
            () -> {
              throw new KafkaException("no broker");
            },
            List.of());

    run.stop();
    run.run();

    assertThat(run.status().state()).isEqualTo(ReplayJob.State.DONE);
    assertThat(run.status().problem()).isNull();
  }

  @Test
  void otherInstancesKnowOfAReplayThatCanNotGoOn() throws IOException {
    marks.seen(Long.MAX_VALUE);
    reader.failures = Integer.MAX_VALUE;
    MockProducer<byte[], byte[]> producer = producer();
    List<DeadLetter> letters = List.of(Letters.letter(1, "EXPIRED", "orders", Letters.AT));

    run(() -> producer, letters).run();

    List<ReplayJob> told = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record : producer.history()) {
      if (new String(record.key(), StandardCharsets.UTF_8).equals(MarkCodec.JOB + "job")) {
        told.add(MarkCodec.read(record.value(), ReplayJob.class));
      }
    }
    assertThat(told)
        .extracting(ReplayJob::state)
        .containsExactly(ReplayJob.State.RUNNING, ReplayJob.State.FAILED);
  }

  @Test
  void whatAReplayHadToWaitForIsNoProblemAnyMoreWhenItHasGoneOn() {
    marks.seen(Long.MAX_VALUE);
    marks.put(Letters.source(1), Marks.mark(Mark.State.HANDLED, 1));
    reader.failures = 1;
    ReplayRun run =
        run(ReplayRunTest::producer, List.of(Letters.letter(1, "EXPIRED", "orders", Letters.AT)));

    run.run();

    assertThat(run.status().state()).isEqualTo(ReplayJob.State.DONE);
    assertThat(run.status().skipped()).isEqualTo(1);
    assertThat(run.status().problem()).isNull();
  }

  @Test
  void whyALetterFailedStaysTheProblemOfItsReplay() {
    marks.seen(Long.MAX_VALUE);
    ReplayRun run =
        run(
            ReplayRunTest::producer,
            List.of(
                Letters.letter(1, "EXPIRED", "orders", Letters.AT),
                Letters.letter(2, "EXPIRED", "orders", Letters.AT)));

    run.run();

    assertThat(run.status().failed()).isEqualTo(2);
    assertThat(run.status().problem())
        .isEqualTo("the content of delay-intake/3/2 was deleted from its topic");
  }

  @Test
  void aReplayThatGivesUpSaysWhatItWaitedFor() {
    reader.failures = Integer.MAX_VALUE;
    ReplayRun run =
        run(ReplayRunTest::producer, List.of(Letters.letter(1, "EXPIRED", "orders", Letters.AT)));

    run.run();

    assertThat(run.status().state()).isEqualTo(ReplayJob.State.FAILED);
    assertThat(run.status().problem()).isEqualTo("the content could not be read: no answer");
  }
}
