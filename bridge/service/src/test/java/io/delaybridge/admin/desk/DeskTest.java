package io.delaybridge.admin.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import io.delaybridge.intake.IntakeReader;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.intake.Letter;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Clocks;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.store.PendingView;
import jakarta.ws.rs.WebApplicationException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The desk and its inputs, in cases for which real processes would be too slow. */
class DeskTest {

  private static final ShardId SHARD = new ShardId("in", 0);
  private static final DelayedMessage MESSAGE =
      new DelayedMessage(new Due(10_000_000_000L, 3), Contents.with(DelayHeaders.DELAY_MS, "1"));

  private long stable = 6;
  private long high = 6;
  private final View view = new View();
  private MockProducer<byte[], byte[]> producer =
      new MockProducer<>(
          Cluster.empty(), true, null, new ByteArraySerializer(), new ByteArraySerializer());

  private static final class View implements PendingView {
    Optional<Found> found = Optional.empty();
    Optional<Verdict> verdict = Optional.empty();
    long next = 6;
    long asks;
    int looks;
    int summaries;
    IntConsumer atLook = look -> {};
    IntConsumer atSummaries = time -> {};

    @Override
    public List<Found> byId(List<ShardId> shards, String id) {
      atLook.accept(++looks);
      return found.stream().toList();
    }

    @Override
    public Optional<Found> byKey(ShardId shard, Due key) {
      return found;
    }

    @Override
    public List<Said> said(List<ShardId> shards, String id) {
      return List.of();
    }

    @Override
    public Slice page(ShardId shard, Due after, long before, int limit, int maxBytes) {
      return new Slice(List.of(), null);
    }

    @Override
    public List<Repeating> repeating(
        ShardId shard, long from, @Nullable String after, long before, int limit) {
      return List.of();
    }

    @Override
    public List<Summary> summaries(List<ShardId> shards, long now) {
      atSummaries.accept(++summaries);
      return shards.stream().map(this::summary).toList();
    }

    private Summary summary(ShardId shard) {
      return new Summary(shard, next, asks, 0, 0, Long.MAX_VALUE);
    }

    @Override
    public List<Long> counts(List<ShardId> shards, List<Long> bounds) {
      return List.of();
    }

    @Override
    public Optional<Verdict> answer(ShardId shard, long offset) {
      return verdict;
    }
  }

  private Object offsets(ListOffsetsOptions options) {
    long end = options.isolationLevel() == IsolationLevel.READ_COMMITTED ? stable : high;
    return Fakes.offsets(Map.of(new TopicPartition("in", 0), end));
  }

  private Desk desk() {
    return desk(Duration.ofSeconds(30));
  }

  private Desk desk(Duration patience) {
    Admin admin =
        Fakes.fake(
            Admin.class,
            (method, arguments) ->
                switch (method) {
                  case "describeTopics" -> Fakes.topic("in", 1);
                  case "listOffsets" -> offsets((ListOffsetsOptions) arguments[1]);
                  default -> throw new UnsupportedOperationException(method);
                });
    return new Desk(
        new IntakeWriter(() -> producer, () -> producer, InstantSource.system(), 1000),
        new IntakeReader(
            () -> {
              throw new IllegalStateException("only ids are looked up here");
            },
            System::nanoTime,
            Duration.ofSeconds(1)),
        view,
        new ShardDirectory(admin, "g", List.of("in"), Duration.ofSeconds(1)),
        intake -> Reading.latest(Long.MAX_VALUE / 4, 0),
        Clocks.system(),
        patience);
  }

  /** The first partition has no leader, and its producer gives up once the second was asked. */
  @Test
  void aPartitionWithoutALeaderDoesNotKeepTheOthersFromBeingPaused() {
    ShardId leaderless = new ShardId("in", 1);
    List<Integer> asked = new ArrayList<>();
    CompletableFuture<RecordMetadata> waiting = new CompletableFuture<>();
    producer =
        new MockProducer<>(
            Cluster.empty(), true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(
              ProducerRecord<byte[], byte[]> record, Callback callback) {
            asked.add(record.partition());
            if (record.partition() == leaderless.partition()) {
              return waiting;
            }
            waiting.completeExceptionally(new TimeoutException("no leader"));
            return super.send(record, callback);
          }
        };
    view.verdict = Optional.of(Verdict.PAUSED);

    assertThatThrownBy(
            () ->
                desk()
                    .tell(
                        List.of(leaderless, SHARD),
                        DelayHeaders.OP_PAUSE,
                        List.of(leaderless, SHARD)))
        .hasMessageContaining("no leader");

    assertThat(asked).containsExactly(leaderless.partition(), SHARD.partition());
  }

  @Test
  void aMessageThatIsNotValidUsesUpNoRate() {
    Letter letter = new Letter("in", null, null, null, Map.of(DelayHeaders.DELAY_MS, "x"));

    assertThatThrownBy(() -> desk().schedule(letter, () -> fail("asked for its allowance")))
        .isInstanceOf(Problem.class);
  }

  /** The record is acknowledged at offset 6; a transaction is open from 6 on, or about to end. */
  @Test
  void whatIsBehindAnOpenTransactionIsNotSaidToBeGone() {
    stable = 6;
    high = 7;
    view.next = 6;

    assertThatThrownBy(
            () -> desk(Duration.ofMillis(300)).find(new Reference("x", null, -1), Caller.ANYONE))
        .isInstanceOfSatisfying(
            WebApplicationException.class,
            e -> assertThat(e.getResponse().getStatus()).isEqualTo(504));
  }

  /**
   * The message was hidden while it was moved. The end of the intake was requested before its copy
   * was written, and the copy is not read yet.
   */
  @Test
  void whatIsBeingMovedIsNotSaidToBeGone() {
    PendingView.Found copy = new PendingView.Found(SHARD, MESSAGE, 1);
    view.atLook =
        look -> {
          if (look == 2) {
            stable = 7;
            high = 7;
          } else if (look == 4) {
            view.next = 7;
            view.found = Optional.of(copy);
          }
        };

    assertThat(desk().find(new Reference("x", null, -1), Caller.ANYONE)).isEqualTo(copy);
  }

  /** The store had caught up when it was asked. Then came the ask that hides the message. */
  @Test
  void whatAnAskHidesIsNotSaidToBeGone() {
    PendingView.Found copy = new PendingView.Found(SHARD, MESSAGE, 1);
    view.atLook = look -> view.asks = look == 2 ? 1 : view.asks;
    view.atSummaries =
        time -> {
          if (time == 3) {
            view.asks = 0;
            stable = 7;
            high = 7;
          } else if (time == 6) {
            view.next = 7;
            view.found = Optional.of(copy);
          }
        };

    assertThat(desk().find(new Reference("x", null, -1), Caller.ANYONE)).isEqualTo(copy);
  }

  @Test
  void whatTheStoreHasNotAfterAllThatWasWrittenIsGone() {
    assertThatThrownBy(() -> desk().find(new Reference("x", null, -1), Caller.ANYONE))
        .isInstanceOfSatisfying(
            WebApplicationException.class,
            e -> assertThat(e.getResponse().getStatus()).isEqualTo(404));
  }

  /** The intake refused the copy, the message is a dead letter, and the owner said so. */
  @Test
  void aMoveThatEndedAsADeadLetterIsNotReportedAsMoved() {
    view.found = Optional.of(new PendingView.Found(SHARD, MESSAGE, 1));
    view.verdict = Optional.of(Verdict.REJECTED);

    Throwable thrown =
        catchThrowable(
            () ->
                desk()
                    .ask(
                        new Reference("x", null, -1),
                        Caller.ANYONE,
                        DelayHeaders.OP_MOVE,
                        Map.of(DelayHeaders.DELAY_MS, "1000")));

    assertThat(thrown).isInstanceOf(WebApplicationException.class);
  }
}
