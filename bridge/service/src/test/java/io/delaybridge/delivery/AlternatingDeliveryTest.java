package io.delaybridge.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class AlternatingDeliveryTest {

  private static final Map<TopicPartition, OffsetAndMetadata> CHECKPOINTS =
      Map.of(new TopicPartition("delay-intake", 0), new OffsetAndMetadata(12, "v1|..."));

  private final List<StubProducer> even = new ArrayList<>();
  private final List<Packing> packings = new ArrayList<>();
  private final List<StubProducer> odd = new ArrayList<>();
  private final AlternatingDelivery delivery =
      new AlternatingDelivery(
          new TransactionalDelivery(new TransactionalId("even"), makes(even)),
          new TransactionalDelivery(new TransactionalId("odd"), makes(odd)));

  private TransactionalDelivery.Producers makes(List<StubProducer> producers) {
    return (id, packing) -> {
      StubProducer producer = new StubProducer();
      producers.add(producer);
      packings.add(packing);
      return producer;
    };
  }

  private Outcome deliver(String topic) {
    return delivery.deliver(
        List.of(new ProducerRecord<>(topic, new byte[] {1})),
        Packing.PLAIN,
        CHECKPOINTS,
        Groups.MEMBER);
  }

  private static List<Long> commits(List<StubProducer> producers) {
    return producers.stream().map(StubProducer::commitCount).toList();
  }

  /** After a turn of each. */
  private void open() {
    deliver("a");
    delivery.commit(CHECKPOINTS, Groups.MEMBER);
    assertThat(commits(even)).containsExactly(1L);
    assertThat(commits(odd)).containsExactly(1L);
  }

  @Test
  void anotherPackingNeedsAnotherProducerUnderTheSameId() {
    open();
    List<ProducerRecord<byte[], byte[]>> one = List.of(new ProducerRecord<>("a", new byte[] {1}));

    assertThat(delivery.deliver(one, Packing.COMPRESSED, CHECKPOINTS, Groups.MEMBER))
        .isInstanceOf(Outcome.Done.class);
    deliver("a");
    assertThat(delivery.deliver(one, Packing.COMPRESSED, CHECKPOINTS, Groups.MEMBER))
        .isInstanceOf(Outcome.Done.class);

    assertThat(packings).containsExactly(Packing.PLAIN, Packing.PLAIN, Packing.COMPRESSED);
    assertThat(commits(even)).containsExactly(1L, 2L);
    assertThat(even.get(0).closed()).isTrue();
    assertThat(commits(odd)).containsExactly(2L);
  }

  @Test
  void whatIsOutHandsOverToTheOther() {
    open();
    deliver("a");
    assertThat(commits(even)).containsExactly(2L);
    assertThat(commits(odd)).containsExactly(1L);
  }

  @Test
  void theOtherIsReadyBeforeItIsNeeded() {
    deliver("a");

    assertThat(commits(odd)).containsExactly(0L);
    assertThat(odd.get(0).transactionInitialized()).isTrue();
  }

  @Test
  void whatWasRefusedIsTriedAgainWithTheSame() {
    open();
    even.get(0).refusing("b", new RecordTooLargeException("2 MB"));

    assertThat(deliver("b")).isInstanceOf(Outcome.Refused.class);
    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);

    assertThat(commits(even)).containsExactly(2L);
    assertThat(commits(odd)).containsExactly(1L);
  }

  /** The other must not begin while the outcome of this one is unknown. */
  @Test
  void whatNobodyKnowsIsEndedByASuccessorWithTheSameId() {
    open();
    StubProducer unsure = even.get(0);
    unsure.commitTransactionException = new TimeoutException("no answer");

    assertThat(deliver("a")).isInstanceOf(Outcome.Unknown.class);

    assertThat(unsure.closed()).isTrue();
    assertThat(even).hasSize(2);
    assertThat(even.get(1).transactionInitialized()).isTrue();
    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
    assertThat(commits(even)).containsExactly(1L, 1L);
    assertThat(odd).hasSize(1);
  }

  @Test
  void bothAreClosed() {
    open();
    delivery.close();

    assertThat(even.get(0).closed()).isTrue();
    assertThat(odd.get(0).closed()).isTrue();
    assertThat(deliver("a")).isInstanceOf(Outcome.NotOut.class);
  }
}
