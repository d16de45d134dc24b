package io.delaybridge.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class TransactionalDeliveryTest {

  private static final Map<TopicPartition, OffsetAndMetadata> CHECKPOINTS =
      Map.of(new TopicPartition("delay-intake", 0), new OffsetAndMetadata(12, "v1|..."));

  private final List<String> ids = new ArrayList<>();
  private final TransactionalId id = new TransactionalId("id");
  private final List<StubProducer> producers = new ArrayList<>();
  private final TransactionalDelivery delivery =
      new TransactionalDelivery(
          id,
          (transactionalId, packing) -> {
            ids.add(transactionalId);
            producers.add(new StubProducer());
            return producer();
          });

  /** Returns the latest producer. */
  private StubProducer producer() {
    return producers.get(producers.size() - 1);
  }

  private static List<ProducerRecord<byte[], byte[]>> records(String... topics) {
    return Stream.of(topics)
        .map(topic -> new ProducerRecord<byte[], byte[]>(topic, new byte[] {1}))
        .toList();
  }

  private Outcome deliver(String... topics) {
    return delivery.deliver(records(topics), Packing.PLAIN, CHECKPOINTS, Groups.MEMBER);
  }

  /** Runs a first, plain turn, which creates the producer. */
  private StubProducer open() {
    assertThat(delivery.commit(CHECKPOINTS, Groups.MEMBER)).isInstanceOf(Outcome.Done.class);
    producer().clear();
    return producer();
  }

  @Test
  void onceClosedItMakesNoProducerThatWouldEndTheTransactionOfASuccessor() {
    StubProducer producer = open();
    delivery.close();

    assertThat(deliver("b")).isInstanceOf(Outcome.NotOut.class);
    assertThat(producers).containsExactly(producer);
  }

  @Test
  void recordsAndCheckpointsAreCommittedTogether() {
    Outcome outcome = deliver("a", "b");

    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    assertThat(producer().history()).extracting(ProducerRecord::topic).containsExactly("a", "b");
    assertThat(producer().consumerGroupOffsetsHistory())
        .containsExactly(Map.of(Groups.ID, CHECKPOINTS));
    assertThat(producer().commitCount()).isEqualTo(1);
  }

  @Test
  void itIsToldWhereEachRecordWent() {
    Outcome.Done done = (Outcome.Done) deliver("a", "b", "a");

    assertThat(done.written()).extracting(RecordMetadata::topic).containsExactly("a", "b", "a");
    assertThat(done.written()).extracting(RecordMetadata::offset).containsExactly(0L, 0L, 1L);
  }

  @Test
  void aCheckpointAloneIsATransactionAsWell() {
    assertThat(delivery.commit(CHECKPOINTS, Groups.MEMBER)).isInstanceOf(Outcome.Done.class);

    assertThat(producer().consumerGroupOffsetsHistory()).hasSize(1);
    assertThat(producer().history()).isEmpty();
  }

  @Test
  void oneProducerServesManyTurns() {
    deliver("a");
    deliver("b");

    assertThat(producers).hasSize(1);
    assertThat(producer().commitCount()).isEqualTo(2);
  }

  @Test
  void oneBadRecordIsRefusedByItsIndexAndNothingIsOut() {
    StubProducer producer = open().refusing("b", new RecordTooLargeException("2 MB"));

    Outcome.Refused refused = (Outcome.Refused) deliver("a", "b", "c");

    assertThat(refused.accused()).containsOnlyKeys(1);
    assertThat(refused.accused().get(1)).isInstanceOf(RecordTooLargeException.class);
    assertThat(producer.history()).isEmpty();
    assertThat(producer.transactionAborted()).isTrue();
  }

  @Test
  void theOthersWentThroughIfKafkaAcceptedOneOfThem() {
    open().refusing("b", new RecordTooLargeException("2 MB"));

    assertThat(((Outcome.Refused) deliver("a", "b")).othersWentThrough()).isTrue();
    assertThat(((Outcome.Refused) deliver("b", "a")).othersWentThrough()).isFalse();
  }

  /** It may have been unreachable since then, so this is no evidence against the target. */
  @Test
  void whatKafkaAcceptedTellsNothingIfItDoesNotAnswerAnyMore() {
    StubProducer producer = open().refusing("b", new TimeoutException("10 s"));
    producer.abortTransactionException = new TimeoutException("no answer");

    assertThat(((Outcome.Refused) deliver("a", "b")).othersWentThrough()).isFalse();
  }

  @Test
  void ofATransactionThatIsRefusedNothingIsWritten() {
    open().refusing("b", new RecordTooLargeException("2 MB"));

    assertThat(((Outcome.Refused) deliver("a", "b", "c")).unwritten())
        .containsExactlyInAnyOrder(0, 1, 2);
  }

  /** The client fails records that were not yet in flight with the exception of the first. */
  @Test
  void onlyTheFirstRecordIsAccusedOfAFailureThatOthersShare() {
    RecordTooLargeException shared = new RecordTooLargeException("2 MB");
    open().refusing("b", shared).refusing("c", shared);

    assertThat(((Outcome.Refused) deliver("a", "b", "c")).accused()).containsOnlyKeys(1);
  }

  @Test
  void everyInvalidRecordIsAccusedOfItsOwnFailure() {
    open()
        .refusing("b", new InvalidRecordException("no key"))
        .refusing("d", new InvalidRecordException("no key either"));

    assertThat(((Outcome.Refused) deliver("a", "b", "c", "d")).accused()).containsOnlyKeys(1, 3);
  }

  @Test
  void everyRecordForAForbiddenTopicIsAccusedAndNoOther() {
    TopicAuthorizationException shared = new TopicAuthorizationException(Set.of("b", "d"));
    open().refusing("b", shared).refusing("c", shared).refusing("d", shared);

    assertThat(((Outcome.Refused) deliver("a", "b", "c", "d")).accused()).containsOnlyKeys(1, 3);
  }

  @Test
  void ofEachTopicThatTimesOutOneRecordIsAccused() {
    TimeoutException late = new TimeoutException("no answer");
    open().refusing("b", late).refusing("c", late);

    assertThat(((Outcome.Refused) deliver("a", "b", "c", "b", "c")).accused())
        .containsOnly(Map.entry(1, late), Map.entry(2, late));
  }

  @Test
  void aTopicThatHasNotAnsweredWhenAnotherTimesOutIsAccusedToo() {
    TimeoutException late = new TimeoutException("no answer");
    open().refusing("b", late).silent("c");

    assertThat(((Outcome.Refused) deliver("a", "b", "b", "c", "c")).accused())
        .containsOnly(Map.entry(1, late), Map.entry(3, late));
  }

  @Test
  void aTopicThatHasNotAnsweredWhenARecordIsRefusedIsNotAccused() {
    open().refusing("b", new RecordTooLargeException("2 MB")).silent("c");

    assertThat(((Outcome.Refused) deliver("a", "b", "c")).accused()).containsOnlyKeys(1);
  }

  @Test
  void aFailureThatNoRecordCanCauseAccusesNobodyAndTheProducerIsReplaced() {
    StubProducer broken = open().refusing("b", new OutOfOrderSequenceException("gap"));

    assertThat(deliver("a", "b")).isInstanceOf(Outcome.NotOut.class);
    assertThat(broken.closed()).isTrue();
    assertThat(deliver("a", "b")).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void aRecordThatFailsBeforeTheNextIsSentIsFound() {
    StubProducer producer = open().refusing("b", new RecordTooLargeException("2 MB"));
    List<ProducerRecord<byte[], byte[]>> slow = new ArrayList<>(records("a", "b"));
    slow.add(
        new ProducerRecord<>("c", new byte[] {1}) {
          @Override
          public String topic() {
            // By now the network has answered.
            producer.answer();
            return super.topic();
          }
        });

    Outcome outcome = delivery.deliver(slow, Packing.PLAIN, CHECKPOINTS, Groups.MEMBER);

    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(((Outcome.Refused) outcome).accused()).containsOnlyKeys(1);
  }

  @Test
  void aRecordThatFailsOnlyWhileTheTransactionIsAbortedIsFound() {
    StubProducer producer = open().refusing("b", new RecordTooLargeException("2 MB"));
    producer.sendOffsetsToTransactionException = new KafkaException("abort it");

    Outcome outcome = deliver("a", "b");

    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(((Outcome.Refused) outcome).accused()).containsOnlyKeys(1);
  }

  @Test
  void theSameProducerServesTheTurnAfterARefusal() {
    open().refusing("b", new RecordTooLargeException("2 MB"));
    deliver("a", "b");

    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
    assertThat(producers).hasSize(1);
  }

  /** Its last transaction has not ended before the topic that timed out has its marker. */
  @Test
  void anIdIsLeftWhenATargetDidNotAnswer() {
    StubProducer held = open().refusing("b", new TimeoutException("no answer"));

    assertThat(deliver("a", "b")).isInstanceOf(Outcome.Refused.class);
    assertThat(held.transactionAborted()).isTrue();
    assertThat(held.closed()).isTrue();

    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
    assertThat(ids).containsExactly("id", "id-1");
  }

  @Test
  void whoeverComesNextDoesNotMeetAnIdThatWasLeft() {
    open().refusing("b", new TimeoutException("no answer"));
    deliver("b");
    delivery.close();

    TransactionalDelivery next =
        new TransactionalDelivery(
            id,
            (transactionalId, packing) -> {
              ids.add(transactionalId);
              return new StubProducer();
            });
    next.prepare();

    assertThat(ids).containsExactly("id", "id-1");
  }

  @Test
  void aProducerThatCanNotBeMadeOfWhatIsConfiguredEndsTheTurn() {
    TransactionalDelivery wrong =
        new TransactionalDelivery(
            id,
            (transactionalId, packing) -> {
              throw new ConfigException("delivery.timeout.ms is too short");
            });

    assertThatThrownBy(() -> wrong.deliver(records("a"), Packing.PLAIN, CHECKPOINTS, Groups.MEMBER))
        .isInstanceOf(ConfigException.class);
  }

  /** The client reports the broker's answer if it arrives just as the time expires. */
  @Test
  void aFailureThatTheClientWouldTryAgainIsATimeOut() {
    open().refusing("b", new NotEnoughReplicasException("too few")).silent("c");

    assertThat(((Outcome.Refused) deliver("a", "b", "c")).accused())
        .containsOnlyKeys(1, 2)
        .allSatisfy((index, cause) -> assertThat(cause).isInstanceOf(TimeoutException.class));
    deliver("a");
    assertThat(ids).containsExactly("id", "id-1");
  }

  @Test
  void aTimeOutDuringTheAbortAccusesNoOtherTopic() {
    open()
        .refusing("b", new RecordTooLargeException("2 MB"))
        .refusing("late", new TimeoutException("no answer"))
        .silent("late");

    assertThat(((Outcome.Refused) deliver("a", "b", "late", "c")).accused()).containsOnlyKeys(1, 2);
  }

  @Test
  void aTopicThatAnswersDuringTheAbortIsNotAccused() {
    StubProducer producer = open();
    producer.refusing("late", new TimeoutException("no answer")).silent("c");
    producer.sendOffsetsToTransactionException = new CommitFailedException("stale generation");

    assertThat(((Outcome.Refused) deliver("c", "late")).accused()).containsOnlyKeys(1);
  }

  @Test
  void aTopicThatWasNotSentToAfterAWaitForAnotherIsNotAccused() {
    StubProducer producer = open();
    producer.missing("b");
    producer.sendOffsetsToTransactionException = new KafkaException("abort it");

    assertThat(((Outcome.Refused) deliver("a", "b", "c")).accused()).containsOnlyKeys(1);
    assertThat(producer.history()).extracting(ProducerRecord::topic).doesNotContain("c");
  }

  @Test
  void anIdIsKeptUntilItsTransactionIsAborted() {
    StubProducer held = open().refusing("b", new TimeoutException("no answer"));
    held.abortTransactionException = new KafkaException("no coordinator");

    assertThat(deliver("a", "b")).isInstanceOf(Outcome.Refused.class);

    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
    assertThat(ids).containsExactly("id", "id");
  }

  @Test
  void anIdIsLeftWhenItCanNotBegin() {
    TransactionalDelivery held =
        new TransactionalDelivery(
            id,
            (transactionalId, packing) -> {
              StubProducer producer = new StubProducer();
              if (ids.size() < 2) {
                producer.initTransactionException = new TimeoutException("the last one goes on");
              }
              ids.add(transactionalId);
              return producer;
            });

    assertThat(held.deliver(records("a"), Packing.PLAIN, CHECKPOINTS, Groups.MEMBER))
        .isInstanceOf(Outcome.NotOut.class);
    held.prepare();
    assertThat(held.deliver(records("a"), Packing.PLAIN, CHECKPOINTS, Groups.MEMBER))
        .isInstanceOf(Outcome.Done.class);
    assertThat(held.deliver(records("a"), Packing.PLAIN, CHECKPOINTS, Groups.MEMBER))
        .isInstanceOf(Outcome.Done.class);

    assertThat(ids).containsExactly("id", "id-1", "id-2");
  }

  @Test
  void aCommitWithoutAnAnswerIsUnknownAndTheProducerIsReplaced() {
    StubProducer lost = open();
    lost.commitTransactionException = new TimeoutException("no answer");

    Outcome outcome = deliver("a");

    assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
    assertThat(((Outcome.Unknown) outcome).cause()).hasMessage("no answer");
    assertThat(lost.closed()).isTrue();
    assertThat(lost.transactionAborted()).isFalse();
    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
    assertThat(producers).hasSize(2);
    assertThat(ids).containsExactly("id", "id");
    assertThat(producer().transactionInitialized()).isTrue();
  }

  @Test
  void aCommitThatTimesOutOnceIsAskedForAgain() {
    open().slowToCommit(1);

    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
    assertThat(producer().commitCount()).isEqualTo(2);
  }

  /** Otherwise a silent target would leave the outcome unknown, and no target would be blamed. */
  @Test
  void aCommitIsWaitedForAsLongAsARecordHasNoAnswer() {
    open().slowToCommit(3).refusing("b", new TimeoutException("no answer"));

    assertThat(((Outcome.Refused) deliver("a", "b")).accused()).containsOnlyKeys(1);
  }

  @Test
  void aCommitThatFailsInAnyOtherWayIsUnknownToo() {
    open().commitTransactionException = new KafkaException("broken");

    assertThat(deliver("a")).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void nothingIsSentWithoutAMemberOfTheGroup() {
    Outcome outcome = delivery.deliver(records("a"), Packing.PLAIN, CHECKPOINTS, Groups.NO_MEMBER);

    assertThat(outcome).isInstanceOf(Outcome.NotOut.class);
    assertThat(producers).isEmpty();
  }

  @Test
  void noCheckpointIsCommittedWithoutAMemberOfTheGroup() {
    open();

    assertThat(delivery.commit(CHECKPOINTS, Groups.NO_MEMBER)).isInstanceOf(Outcome.NotOut.class);
    assertThat(producer().commitCount()).isEqualTo(1);
  }

  @Test
  void aStaleGenerationMeansThatNothingIsOut() {
    open().sendOffsetsToTransactionException = new CommitFailedException("stale generation");

    Outcome outcome = deliver("a");

    assertThat(outcome).isInstanceOf(Outcome.NotOut.class);
    assertThat(((Outcome.NotOut) outcome).cause()).hasMessage("stale generation");
    assertThat(producer().transactionAborted()).isTrue();
    assertThat(producer().history()).isEmpty();
  }

  /** A new producer would be most expensive when the group divides its partitions. */
  @Test
  void theSameProducerServesTheTurnAfterAStaleGeneration() {
    open().sendOffsetsToTransactionException = new CommitFailedException("stale generation");
    deliver("a");

    producer().sendOffsetsToTransactionException = null;
    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
    assertThat(producers).hasSize(1);
  }

  @Test
  void aProducerThatCanNotAbortIsReplaced() {
    StubProducer broken = open();
    broken.sendOffsetsToTransactionException = new CommitFailedException("stale generation");
    broken.abortTransactionException = new KafkaException("fatal");

    assertThat(deliver("a")).isInstanceOf(Outcome.NotOut.class);
    assertThat(broken.closed()).isTrue();
    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
    assertThat(producers).hasSize(2);
  }

  @Test
  void aFencedProducerIsReplaced() {
    StubProducer fenced = open();
    fenced.fenceProducer();

    assertThat(deliver("a")).isInstanceOf(Outcome.NotOut.class);
    assertThat(fenced.closed()).isTrue();
    assertThat(deliver("a")).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void aProducerThatCanNotStartIsClosedAndNothingIsOut() {
    List<StubProducer> made = new ArrayList<>();
    TransactionalDelivery starting =
        new TransactionalDelivery(
            id,
            (transactionalId, packing) -> {
              StubProducer producer = new StubProducer();
              if (made.isEmpty()) {
                producer.initTransactionException = new ProducerFencedException("not now");
              }
              made.add(producer);
              return producer;
            });

    assertThat(starting.deliver(records("a"), Packing.PLAIN, CHECKPOINTS, Groups.MEMBER))
        .isInstanceOf(Outcome.NotOut.class);
    assertThat(made.get(0).closed()).isTrue();
    assertThat(starting.deliver(records("a"), Packing.PLAIN, CHECKPOINTS, Groups.MEMBER))
        .isInstanceOf(Outcome.Done.class);
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
  void closingClosesTheProducer() {
    StubProducer producer = open();

    delivery.close();

    assertThat(producer.closed()).isTrue();
  }

  @Test
  void closingWithoutAProducerIsHarmless() {
    delivery.close();

    assertThat(producers).isEmpty();
  }

  @Test
  void itSaysThatCheckpointsGoOutWithTheRecords() {
    assertThat(delivery.isTransactional()).isTrue();
  }
}
