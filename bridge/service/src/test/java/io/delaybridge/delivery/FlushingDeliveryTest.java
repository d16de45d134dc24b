package io.delaybridge.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A record that is never flushed would be waited for without end: hence the limit. */
@Timeout(30)
class FlushingDeliveryTest {

  private static final TopicPartition INTAKE = new TopicPartition("delay-intake", 0);
  private static final Map<TopicPartition, OffsetAndMetadata> CHECKPOINTS =
      Map.of(INTAKE, new OffsetAndMetadata(12, "v1|..."));

  private final List<StubProducer> producers = new ArrayList<>();
  private final List<Packing> packings = new ArrayList<>();
  private final StubConsumer consumer = new StubConsumer();
  private final FlushingDelivery delivery =
      new FlushingDelivery(
          packing -> {
            producers.add(new StubProducer());
            packings.add(packing);
            return producer();
          },
          consumer);

  /** A consumer whose commits fail, and that gets no answers, on demand. */
  private static final class StubConsumer extends MockConsumer<byte[], byte[]> {

    private final List<KafkaException> faults = new ArrayList<>();
    private final Set<String> mute = new HashSet<>();

    StubConsumer() {
      super("none");
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
      if (!faults.isEmpty()) {
        throw faults.remove(0);
      }
      super.commitSync(offsets, timeout);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(
        Collection<TopicPartition> partitions, Duration timeout) {
      if (partitions.stream().anyMatch(partition -> mute.contains(partition.topic()))) {
        throw new TimeoutException("no answer about " + partitions);
      }
      return Map.of();
    }
  }

  private StubProducer producer() {
    return producers.get(producers.size() - 1);
  }

  private Outcome deliver(String... topics) {
    return delivery.deliver(
        Stream.of(topics)
            .map(topic -> new ProducerRecord<byte[], byte[]>(topic, new byte[] {1}))
            .toList(),
        Packing.PLAIN,
        CHECKPOINTS,
        Groups.MEMBER);
  }

  private StubProducer open() {
    assertThat(deliver()).isInstanceOf(Outcome.Done.class);
    return producer();
  }

  @Test
  void aProducerThatCanNotBeMadeOfWhatIsConfiguredEndsTheTurn() {
    FlushingDelivery wrong =
        new FlushingDelivery(
            packing -> {
              throw new ConfigException("delivery.timeout.ms is too short");
            },
            consumer);

    assertThatThrownBy(() -> wrong.deliver(List.of(), Packing.PLAIN, CHECKPOINTS, Groups.MEMBER))
        .isInstanceOf(ConfigException.class);
  }

  @Test
  void anotherPackingNeedsAnotherProducer() {
    deliver("a");
    List<ProducerRecord<byte[], byte[]>> one = List.of(new ProducerRecord<>("a", new byte[] {1}));
    delivery.deliver(one, Packing.COMPRESSED, CHECKPOINTS, Groups.MEMBER);
    delivery.deliver(one, Packing.COMPRESSED, CHECKPOINTS, Groups.MEMBER);

    assertThat(packings).containsExactly(Packing.PLAIN, Packing.COMPRESSED);
    assertThat(producers.get(0).closed()).isTrue();
    assertThat(producers.get(1).history()).hasSize(2);
  }

  @Test
  void everyRecordIsFlushedAndItsPlaceReported() {
    Outcome.Done done = (Outcome.Done) deliver("a", "b", "a");

    assertThat(producer().history())
        .extracting(ProducerRecord::topic)
        .containsExactly("a", "b", "a");
    assertThat(done.written()).extracting(RecordMetadata::offset).containsExactly(0L, 0L, 1L);
  }

  @Test
  void recordsGoOutWithoutTheirCheckpoints() {
    deliver("a");

    assertThat(consumer.committed(Set.of(INTAKE)).get(INTAKE)).isNull();
    assertThat(delivery.isTransactional()).isFalse();
  }

  @Test
  void recordsThatFailAreReportedByIndexAndTheOthersAreOut() {
    open().refusing("b", new RecordTooLargeException("2 MB"));

    Outcome.Refused refused = (Outcome.Refused) deliver("a", "b", "c", "b");

    assertThat(refused.unwritten()).containsExactlyInAnyOrder(1, 3);
    assertThat(refused.accused().get(1)).isInstanceOf(RecordTooLargeException.class);
    assertThat(refused.othersWentThrough()).isTrue();
  }

  /** Each wait takes ten seconds, and a loop is taken for hanging after thirty. */
  @Test
  void onlyOneTopicThatNobodyKnowsIsWaitedForAndOnlyOnce() {
    open().missing("b").missing("c").missing("d");

    Outcome.Refused refused = (Outcome.Refused) deliver("a", "b", "c", "b", "d", "a");

    assertThat(producer().waits()).isEqualTo(1);
    assertThat(refused.unwritten()).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    assertThat(refused.accused()).containsOnlyKeys(1);
    assertThat(producer().history()).extracting(ProducerRecord::topic).containsExactly("a");
  }

  @Test
  void ofEachTopicThatTimesOutOneRecordIsAccused() {
    open()
        .refusing("b", new TimeoutException("no answer"))
        .refusing("c", new TimeoutException("no answer either"));

    Outcome.Refused refused = (Outcome.Refused) deliver("a", "b", "c", "b", "c");

    assertThat(refused.accused()).containsOnlyKeys(1, 2);
    assertThat(refused.unwritten()).containsExactlyInAnyOrder(1, 2, 3, 4);
  }

  @Test
  void aFailureThatNoRecordCanCauseAccusesNobody() {
    open().refusing("b", new OutOfOrderSequenceException("gap"));

    Outcome.Refused refused = (Outcome.Refused) deliver("a", "b");

    assertThat(refused.accused()).isEmpty();
    assertThat(refused.unwritten()).containsExactly(1);
  }

  @Test
  void whatWasAcceptedByABrokerThatNoLongerAnswersIsNoEvidence() {
    open().refusing("b", new TimeoutException("no answer"));
    consumer.mute.add("a");

    Outcome.Refused refused = (Outcome.Refused) deliver("a", "b");

    assertThat(refused.unwritten()).containsExactly(1);
    assertThat(refused.othersWentThrough()).isFalse();
  }

  @Test
  void whenAllFailNoneOfTheOthersWentThrough() {
    open().refusing("a", new TimeoutException("no answer"));

    assertThat(((Outcome.Refused) deliver("a", "a")).othersWentThrough()).isFalse();
  }

  @Test
  void aProducerThatSendsNothingInTimeIsReplaced() {
    StubProducer silent = open().refusing("a", new TimeoutException("no answer"));

    assertThat(deliver("a", "a")).isInstanceOf(Outcome.Refused.class);

    assertThat(silent.closed()).isTrue();
    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void aProducerThatSendsSomethingIsKept() {
    StubProducer producer = open().refusing("b", new TimeoutException("no answer"));

    deliver("a", "b");

    assertThat(producer.closed()).isFalse();
  }

  @Test
  void aFlushThatFailsMeansThatAllIsSentAgainByANewProducer() {
    StubProducer broken = open();
    broken.flushException = new KafkaException("broken");

    Outcome outcome = deliver("a");

    assertThat(outcome).isInstanceOf(Outcome.NotOut.class);
    assertThat(broken.closed()).isTrue();
    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
    assertThat(producers).hasSize(2);
  }

  @Test
  void aSendThatFailsMeansThatAllIsSentAgainByANewProducer() {
    StubProducer broken = open();
    broken.sendException = new IllegalStateException("closed");

    assertThat(deliver("a")).isInstanceOf(Outcome.NotOut.class);
    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
    assertThat(producers).hasSize(2);
  }

  @Test
  void checkpointsAreCommittedThroughTheConsumer() {
    consumer.assign(List.of(INTAKE));

    assertThat(delivery.commit(CHECKPOINTS, Groups.MEMBER)).isInstanceOf(Outcome.Done.class);
    assertThat(consumer.committed(Set.of(INTAKE))).isEqualTo(CHECKPOINTS);
  }

  @Test
  void aCheckpointThatIsRefusedIsNotOut() {
    consumer.faults.add(new CommitFailedException("stale generation"));

    Outcome outcome = delivery.commit(CHECKPOINTS, Groups.MEMBER);

    assertThat(outcome).isInstanceOf(Outcome.NotOut.class);
    assertThat(((Outcome.NotOut) outcome).cause()).hasMessage("stale generation");
  }

  @Test
  void anInterruptIsNotSwallowed() {
    open().sendException = new InterruptException("stop");
    try {
      assertThatThrownBy(() -> deliver("a")).isInstanceOf(InterruptException.class);
    } finally {
      // Creating the exception has set the flag of this thread.
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void onceClosedItSendsNothingAnymore() {
    deliver("a");
    StubProducer producer = producer();
    delivery.close();

    assertThat(deliver("b")).isInstanceOf(Outcome.NotOut.class);
    assertThat(producers).containsExactly(producer);
  }

  @Test
  void closingClosesTheProducer() {
    StubProducer producer = open();

    delivery.close();

    assertThat(producer.closed()).isTrue();
  }
}
