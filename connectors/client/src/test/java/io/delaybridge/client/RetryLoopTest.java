package io.delaybridge.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryLoopTest {

  private static final Duration POLL = Duration.ZERO;
  private static final RetryLater LATER = RetryLater.with(Backoff.DEFAULT);
  private static final @Nullable Partitioner NO_PARTITIONER = null;

  private final MockProducer<String, String> producer =
      new MockProducer<>(true, NO_PARTITIONER, new StringSerializer(), new StringSerializer());
  private final List<String> handled = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private final RetryLoop.Listener<String, String> told =
      new RetryLoop.Listener<>() {
        @Override
        public void failed(
            ConsumerRecord<String, String> record,
            Exception failure,
            Verdict<String, String> verdict) {
          String end = verdict instanceof Verdict.Dead ? "dead" : "retry";
          heard.add(
              "%s/%d %s: %s after %d"
                  .formatted(
                      record.topic(),
                      record.offset(),
                      failure.getMessage(),
                      end,
                      verdict.attempt()));
        }

        @Override
        public void undone(int records, Exception cause) {
          heard.add(records + " undone: " + cause.getClass().getSimpleName());
        }
      };

  private RetryLoop<String, String> exactlyOnce(StubConsumer from) {
    producer.initTransactions();
    return RetryLoop.exactlyOnce(from.consumer(), producer, LATER, this::handle);
  }

  private RetryLoop<String, String> atLeastOnce(StubConsumer from) {
    return RetryLoop.atLeastOnce(from.consumer(), producer, LATER, this::handle);
  }

  @SuppressWarnings("NullAway") // A handler must not do this.
  private static List<ProducerRecord<String, String>> nothing() {
    return null;
  }

  /** Returns one record, or acts on the value. */
  private List<ProducerRecord<String, String>> handle(ConsumerRecord<String, String> record)
      throws InterruptedException {
    handled.add(record.value());
    switch (record.value()) {
      case "fails" -> throw new IllegalStateException("as it was told");
      case "overflows" -> {
        if (handled.size() == 1) {
          throw new StackOverflowError("as it was told");
        }
        return List.of();
      }
      case "returns null" -> {
        return nothing();
      }
      case "is interrupted" -> throw new InterruptedException();
      case "is interrupted in a channel" -> {
        Thread.currentThread().interrupt();
        throw new UncheckedIOException(new ClosedByInterruptException());
      }
      case "is interrupted in Kafka" -> throw new InterruptException("as it was told");
      default -> {
        return List.of(new ProducerRecord<>("answers", record.value()));
      }
    }
  }

  @Test
  void answersRetriesAndOffsetsAreOneTransaction() {
    StubConsumer from = new StubConsumer("a", "fails", "b");

    int settled = exactlyOnce(from).turn(POLL);

    assertThat(settled).isEqualTo(3);
    assertThat(producer.history())
        .extracting(ProducerRecord::topic)
        .containsExactly("answers", "delay-intake", "answers");
    assertThat(producer.consumerGroupOffsetsHistory())
        .containsExactly(
            Map.of(
                "group",
                Map.of(StubConsumer.PARTITION, new OffsetAndMetadata(3, Optional.empty(), ""))));
    assertThat(producer.commitCount()).isEqualTo(1);
    assertThat(from.committed).isZero();
  }

  @Test
  void whatEndsATransactionBehindTheRecordsIsCommittedWithThem() {
    StubConsumer from = new StubConsumer("a", "b");
    from.markers = 1;

    assertThat(atLeastOnce(from).turn(POLL)).isEqualTo(2);
    assertThat(from.committed).isEqualTo(3);
  }

  @Test
  void theListenerIsToldWhyARecordFailedAndWhatComesOfIt() {
    StubConsumer from = new StubConsumer("fails", "a", "fails");
    from.log.get(0).headers().add("delay-consumer-attempt", "8".getBytes(UTF_8));

    assertThat(atLeastOnce(from).listener(told).turn(POLL)).isEqualTo(3);

    assertThat(heard)
        .containsExactly(
            "orders/0 as it was told: dead after 8", "orders/2 as it was told: retry after 1");
  }

  /** An open transaction with a retry in the intake would delay everybody there. */
  @Test
  void noTransactionIsOpenWhileTheHandlerWorks() {
    producer.initTransactions();
    List<Boolean> open = new ArrayList<>();
    RetryLoop<String, String> loop =
        RetryLoop.exactlyOnce(
            new StubConsumer("fails", "a").consumer(),
            producer,
            LATER,
            record -> {
              open.add(producer.transactionInFlight());
              return handle(record);
            });

    assertThat(loop.turn(POLL)).isEqualTo(2);
    assertThat(open).containsExactly(false, false);
  }

  @Test
  void withoutRecordsThereIsNoTransaction() {
    assertThat(exactlyOnce(new StubConsumer()).turn(POLL)).isZero();
    assertThat(producer.commitCount()).isZero();
  }

  @Test
  void aTransactionThatFailsIsUndoneAndTheSameRecordsComeAgain() {
    StubConsumer from = new StubConsumer("a", "fails");
    RetryLoop<String, String> loop = exactlyOnce(from);
    producer.commitTransactionException = new KafkaException("as it was told");

    assertThatThrownBy(() -> loop.turn(POLL)).hasMessage("as it was told");
    assertThat(producer.transactionAborted()).isTrue();

    producer.commitTransactionException = null;
    assertThat(loop.turn(POLL)).isEqualTo(2);
    assertThat(handled).containsExactly("a", "fails", "a", "fails");
    assertThat(producer.history()).hasSize(2);
  }

  @Test
  void afterAnErrorTheSameRecordsComeAgainToo() {
    RetryLoop<String, String> loop = exactlyOnce(new StubConsumer("overflows"));

    assertThatThrownBy(() -> loop.turn(POLL)).isInstanceOf(StackOverflowError.class);
    assertThat(producer.transactionInFlight()).isFalse();

    assertThat(loop.turn(POLL)).isEqualTo(1);
    assertThat(handled).containsExactly("overflows", "overflows");
  }

  @Test
  void afterAnErrorNothingIsCommittedEither() {
    StubConsumer from = new StubConsumer("overflows");
    RetryLoop<String, String> loop = atLeastOnce(from);

    assertThatThrownBy(() -> loop.turn(POLL)).isInstanceOf(StackOverflowError.class);
    assertThat(from.committed).isZero();
    assertThat(from.position).isZero();
  }

  @Test
  void aGroupThatHasMovedOnIsNoFailure() {
    StubConsumer from = new StubConsumer("a");
    RetryLoop<String, String> loop = exactlyOnce(from);
    producer.sendOffsetsToTransactionException = new CommitFailedException();
    from.assigned = Set.of();

    assertThat(loop.turn(POLL)).isZero();
    assertThat(producer.transactionAborted()).isTrue();
    // There must be no seek in a partition that was taken away.
    assertThat(from.position).isEqualTo(1);
  }

  @Test
  void aTransactionThatCanNotBeUndoneSaysBothAndSkipsNothing() {
    StubConsumer from = new StubConsumer("a");
    RetryLoop<String, String> loop = exactlyOnce(from);
    producer.sendOffsetsToTransactionException = new CommitFailedException();
    producer.abortTransactionException = new KafkaException("not even that");

    assertThatThrownBy(() -> loop.turn(POLL))
        .isInstanceOf(CommitFailedException.class)
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("not even that"));
    assertThat(from.position).isZero();
  }

  @Test
  void anInterruptWaitsUntilTheTransactionIsUndone() {
    StubConsumer from = new StubConsumer("a");
    List<Boolean> interruptedMeanwhile = new ArrayList<>();
    MockProducer<String, String> watched =
        new MockProducer<>(true, NO_PARTITIONER, new StringSerializer(), new StringSerializer()) {
          @Override
          public synchronized void commitTransaction() {
            throw new InterruptException(new InterruptedException());
          }

          @Override
          public synchronized void abortTransaction() {
            interruptedMeanwhile.add(Thread.currentThread().isInterrupted());
            super.abortTransaction();
          }
        };
    watched.initTransactions();
    RetryLoop<String, String> loop =
        RetryLoop.exactlyOnce(from.consumer(), watched, LATER, this::handle);

    assertThatThrownBy(() -> loop.turn(POLL)).isInstanceOf(InterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(interruptedMeanwhile).containsExactly(false);
    assertThat(from.position).isZero();
  }

  @Test
  void nothingAtAllIsAFailureOfTheRecord() {
    StubConsumer from = new StubConsumer("returns null");

    assertThat(exactlyOnce(from).turn(POLL)).isEqualTo(1);
    assertThat(producer.history())
        .extracting(ProducerRecord::topic)
        .containsExactly("delay-intake");
  }

  @Test
  void offsetsAreCommittedWhenEverythingIsAcknowledged() {
    StubConsumer from = new StubConsumer("a", "fails");

    assertThat(atLeastOnce(from).turn(POLL)).isEqualTo(2);
    assertThat(producer.history())
        .extracting(ProducerRecord::topic)
        .containsExactly("answers", "delay-intake");
    assertThat(from.committed).isEqualTo(2);
  }

  @Test
  void offsetsAreNotCommittedWhenARecordWasNotSent() {
    StubConsumer from = new StubConsumer("a");
    RetryLoop<String, String> loop = atLeastOnce(from);
    producer.sendException = new KafkaException("as it was told");

    assertThatThrownBy(() -> loop.turn(POLL)).hasMessage("as it was told");
    assertThat(from.committed).isZero();

    producer.sendException = null;
    assertThat(loop.turn(POLL)).isEqualTo(1);
    assertThat(from.committed).isEqualTo(1);
  }

  @Test
  void offsetsAreNotCommittedWhenARecordWasNotAcknowledged() {
    StubConsumer from = new StubConsumer("a");
    MockProducer<String, String> slow =
        new MockProducer<>(false, NO_PARTITIONER, new StringSerializer(), new StringSerializer()) {
          @Override
          public synchronized void flush() {
            errorNext(new KafkaException("as it was told"));
          }
        };
    RetryLoop<String, String> loop =
        RetryLoop.atLeastOnce(from.consumer(), slow, LATER, this::handle);

    assertThatThrownBy(() -> loop.turn(POLL)).hasMessage("as it was told");
    assertThat(from.committed).isZero();
    assertThat(from.position).isZero();
  }

  @Test
  void withoutTransactionsAGroupThatHasMovedOnIsNoFailureEither() {
    StubConsumer from = new StubConsumer("a");
    from.refusal = new CommitFailedException();

    assertThat(atLeastOnce(from).listener(told).turn(POLL)).isZero();
    assertThat(heard).containsExactly("1 undone: CommitFailedException");
    assertThat(from.position).isZero();
  }

  /** Handles as the others do; the group rebalances meanwhile. */
  private RetryLoop<String, String> rebalancing(StubConsumer from, Runnable rebalance) {
    return RetryLoop.atLeastOnce(
            from.consumer(),
            producer,
            LATER,
            record -> {
              rebalance.run();
              from.refusal = new CommitFailedException();
              return handle(record);
            })
        .listener(told);
  }

  @Test
  void aPartitionThatLeavesWhileItIsHandledIsNoFailure() {
    StubConsumer from = new StubConsumer("a");

    int settled = rebalancing(from, () -> from.assigned = Set.of()).turn(POLL);

    assertThat(settled).isZero();
    assertThat(heard).containsExactly("1 undone: CommitFailedException");
  }

  @Test
  void whatCameBackFromAnotherMemberIsNotSetBack() {
    StubConsumer from = new StubConsumer("a");

    int settled = rebalancing(from, () -> from.position = 7).turn(POLL);

    assertThat(settled).isZero();
    assertThat(heard).containsExactly("1 undone: CommitFailedException");
    assertThat(from.position).isEqualTo(7);
  }

  @Test
  void aPositionThatKafkaDoesNotSayIsUndoneBeforeAnythingIsHandled() {
    StubConsumer from = new StubConsumer("a");
    from.noPosition = new TimeoutException("as it was told");
    RetryLoop<String, String> loop = atLeastOnce(from);

    assertThatThrownBy(() -> loop.turn(POLL))
        .hasMessage("as it was told")
        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
    assertThat(handled).isEmpty();
    assertThat(from.position).isZero();
  }

  @Test
  void anInterruptIsNoFailureOfTheRecord() {
    RetryLoop<String, String> loop = atLeastOnce(new StubConsumer("is interrupted"));

    assertThatThrownBy(() -> loop.turn(POLL)).isInstanceOf(InterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void anInterruptInKafkaIsNoFailureOfTheRecordEither() {
    RetryLoop<String, String> loop = atLeastOnce(new StubConsumer("is interrupted in Kafka"));

    assertThatThrownBy(() -> loop.turn(POLL)).isInstanceOf(InterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void anInterruptThatIsCalledOtherwiseIsNoneEither() {
    RetryLoop<String, String> loop = atLeastOnce(new StubConsumer("is interrupted in a channel"));

    assertThatThrownBy(() -> loop.turn(POLL))
        .isInstanceOf(InterruptException.class)
        .hasRootCauseInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void itRunsUntilItIsStopped() {
    StubConsumer from = new StubConsumer("a", "b");
    List<RetryLoop<String, String>> self = new ArrayList<>();
    RetryLoop<String, String> loop =
        RetryLoop.atLeastOnce(
            from.consumer(),
            producer,
            LATER,
            record -> {
              self.get(0).stop();
              return handle(record);
            });
    self.add(loop);

    loop.run(POLL);

    assertThat(from.committed).isEqualTo(2);
  }
}
