package io.delaybridge.deadletter.replay;

import static io.delaybridge.deadletter.letters.Letters.MARKS;
import static io.delaybridge.deadletter.letters.Letters.source;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.google.common.util.concurrent.Uninterruptibles;
import io.delaybridge.deadletter.index.MarkStore;
import io.delaybridge.deadletter.letters.IndexUnavailableException;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.MarkCodec;
import io.delaybridge.deadletter.marks.Marks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** With producers in memory; a committed record is in the store at once. */
class LedgerTest {

  private final MarkCodec codec = new MarkCodec(MARKS);
  private final MarkStore marks = new MarkStore();
  private final List<LogProducer> producers = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final Ledger ledger =
      new Ledger(this::producer, () -> marks, codec, Duration.ofMillis(1));
  private RuntimeException onCommit = new IllegalStateException("unused");
  private int failingCommits;
  private int commitsBefore;
  private boolean commitsAllTheSame;
  private boolean indexFollows = true;

  private LogProducer producer() {
    LogProducer made = new LogProducer();
    producers.add(made);
    return made;
  }

  /** Its transactions go to the log when they are committed. */
  private final class LogProducer extends MockProducer<byte[], byte[]> {

    private final List<ProducerRecord<byte[], byte[]>> open = new ArrayList<>();
    private int commits;
    private boolean failed;

    LogProducer() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      if (failed) {
        throw new KafkaException("an earlier record has failed");
      }
      if ("too-large".equals(record.topic())) {
        failed = true;
        return java.util.concurrent.CompletableFuture.failedFuture(
            new RecordTooLargeException("too large"));
      }
      open.add(record);
      return java.util.concurrent.CompletableFuture.completedFuture(
          new RecordMetadata(
              new org.apache.kafka.common.TopicPartition(record.topic(), 0),
              log.size() + open.size() - 1L,
              0,
              0,
              0,
              0));
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
      return List.of(new PartitionInfo(topic, 0, null, null, null));
    }

    @Override
    public void commitTransaction() {
      boolean failing = failingCommits > 0 && commits++ >= commitsBefore;
      if (!failing || commitsAllTheSame) {
        open.forEach(record -> log.add(new String(record.key(), UTF_8)));
        if (indexFollows) {
          marks.seen(log.size() - 1L);
        }
      }
      if (failing) {
        failingCommits--;
        throw onCommit;
      }
      open.clear();
      super.commitTransaction();
    }
  }

  private int writeMark() {
    return ledger.run(
        (known, transaction) -> {
          transaction.commit(
              List.of(),
              nothing -> List.of(codec.mark(source(1), Marks.mark(Mark.State.HANDLED, 1))));
          return log.size();
        });
  }

  @Test
  void aBarrierComesBeforeTheFirstMarkAndNotBeforeTheNext() {
    writeMark();
    writeMark();

    assertThat(producers).hasSize(1);
    assertThat(log)
        .containsExactly("barrier", "letter delay-intake/3/1", "letter delay-intake/3/1");
  }

  @Test
  void whoeverIsShutOutBeginsAnewWithABarrier() {
    writeMark();
    onCommit = new ProducerFencedException("another instance");
    failingCommits = 1;

    writeMark();

    assertThat(producers).hasSize(2);
    assertThat(producers.get(0).closed()).isTrue();
    assertThat(log)
        .containsExactly(
            "barrier", "letter delay-intake/3/1", "barrier", "letter delay-intake/3/1");
  }

  @Test
  void aTopicThatIsCreatedAnewIsNotWaitedForForEver() {
    writeMark();
    writeMark();
    log.clear();
    marks.seen(-1);
    assertThatThrownBy(this::writeMark).isInstanceOf(IndexUnavailableException.class);

    writeMark();

    assertThat(producers.get(0).closed()).isTrue();
    assertThat(log).containsExactly("barrier", "letter delay-intake/3/1");
  }

  @Test
  void theWorkDecidesAnewWhenACommitWentThroughWithoutAnAnswer() {
    onCommit = new TimeoutException("no answer");
    failingCommits = 1;
    commitsBefore = 1;
    commitsAllTheSame = true;
    List<Integer> seen = new ArrayList<>();

    ledger.<Boolean>run(
        (known, transaction) -> {
          seen.add(log.size());
          if (log.stream().noneMatch(key -> key.startsWith("letter"))) {
            transaction.commit(
                List.of(),
                nothing -> List.of(codec.mark(source(1), Marks.mark(Mark.State.HANDLED, 1))));
          }
          return true;
        });

    assertThat(seen).containsExactly(1, 3);
    assertThat(log).containsExactly("barrier", "letter delay-intake/3/1", "barrier");
  }

  @Test
  void itGivesUpAfterAFewAttempts() {
    onCommit = new TimeoutException("no answer");
    failingCommits = 100;

    assertThatThrownBy(this::writeMark)
        .isInstanceOf(IndexUnavailableException.class)
        .hasRootCauseInstanceOf(TimeoutException.class);
    assertThat(producers).hasSize(4).allMatch(MockProducer::closed);
    assertThat(log).isEmpty();
  }

  private static ProducerRecord<byte[], byte[]> record(String topic) {
    return new ProducerRecord<>(topic, new byte[1], new byte[1]);
  }

  private void commit(
      ProducerRecord<byte[], byte[]> record, List<ProducerRecord<byte[], byte[]>> itsMarks) {
    commit(List.of(record), itsMarks);
  }

  private void commit(
      List<ProducerRecord<byte[], byte[]>> records,
      List<ProducerRecord<byte[], byte[]>> theirMarks) {
    boolean unused =
        ledger.<Boolean>run(
            (known, transaction) -> {
              transaction.commit(records, places -> theirMarks);
              return true;
            });
  }

  @Test
  void aRecordThatKafkaNeverTakesIsSaidAtOnce() {
    assertThatThrownBy(() -> commit(record("too-large"), List.of()))
        .isInstanceOf(Ledger.RefusedException.class)
        .hasMessage("too large");
    assertThat(producers).hasSize(1).allMatch(MockProducer::closed);

    assertThat(writeMark()).isEqualTo(3);
  }

  @Test
  void whatThrowsOnceARecordHasFailedDoesNotHideWhichFault() {
    assertThatThrownBy(() -> commit(List.of(record("too-large"), record("intake")), List.of()))
        .isInstanceOf(Ledger.RefusedException.class)
        .hasMessage("too large");
  }

  @Test
  void aMarkThatKafkaNeverTakesIsNoFaultOfTheRecord() {
    assertThatThrownBy(() -> commit(record("intake"), List.of(record("too-large"))))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessage("the marks topic refuses a record: too large");
  }

  @Test
  void aPartitionThatIsNotThereIsSaidAtOnceToo() {
    assertThatThrownBy(
            () -> commit(new ProducerRecord<>("intake", 999, new byte[1], new byte[1]), List.of()))
        .isInstanceOf(Ledger.RefusedException.class)
        .hasMessage("topic intake has 1 partitions and no partition 999");
  }

  @Test
  void whoeverClosesItDoesNotWaitForWorkThatHangs() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread hanging =
        new Thread(
            () ->
                ledger.<Boolean>run(
                    (known, transaction) -> {
                      begun.countDown();
                      return Uninterruptibles.awaitUninterruptibly(end, Duration.ofMinutes(1));
                    }));
    hanging.start();
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();

    assertThatThrownBy(this::writeMark)
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessage("another replay is still waiting for Kafka");
    // Earlier commits are visible, whoever has the ledger now.
    assertThatCode(() -> ledger.awaitVisible(Duration.ofMillis(1))).doesNotThrowAnyException();
    assertTimeoutPreemptively(Duration.ofSeconds(30), ledger::close);
    assertThat(producers).hasSize(1).allMatch(MockProducer::closed);

    end.countDown();
    hanging.join();
    assertThatThrownBy(this::writeMark).isInstanceOf(IndexUnavailableException.class);
  }

  /** It is closed by another thread, between two calls of the one that works with it. */
  @Test
  void aProducerThatIsClosedByTheEndOfTheBridgeIsNotAFailureOfTheWork() {
    assertThatThrownBy(
            () ->
                ledger.<Boolean>run(
                    (known, transaction) -> {
                      end();
                      throw new IllegalStateException("the producer is closed");
                    }))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessage("the bridge is stopping");
  }

  private void end() {
    try {
      ledger.close();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void nothingIsDecidedWhileTheIndexDoesNotFollow() throws InterruptedException {
    writeMark();
    indexFollows = false;
    writeMark();

    assertThatThrownBy(this::writeMark)
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessage("the index has not read the marks in time");
    assertThat(log).hasSize(3);
    ledger.close();
    assertThat(producers).allMatch(MockProducer::closed);
  }
}
