package io.delaybridge.admin.desk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.delaybridge.admin.Caller;
import io.delaybridge.intake.IntakeReader;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Replacement;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Admission;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.Clocks;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import io.delaybridge.store.PendingView.Said;
import io.delaybridge.store.PendingView.Summary;
import io.delaybridge.store.ShardStore.Named;
import jakarta.ws.rs.WebApplicationException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the desk says of a message that is due a minute after it was written, and far. */
class FarDeskTest {

  private static final ShardId SHARD = new ShardId("in", 0);
  private static final TopicPartition INTAKE = new TopicPartition("in", 0);
  private static final TopicPartition LATER = new TopicPartition("in-later", 0);
  private static final long WRITTEN = 1_000_000;
  private static final long DUE = WRITTEN + 60_000;
  private static final long HORIZON = 20_000;
  private static final long OFFSET = 7;
  private static final Reference BY_SOURCE = new Reference(null, SHARD, OFFSET);

  private final AtomicLong now = new AtomicLong(WRITTEN);
  private final List<ConsumerRecord<byte[], byte[]>> log = new ArrayList<>();
  private final List<Due> stored = new ArrayList<>();
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(
          Cluster.empty(), true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private Admission admission = Admission.of(Reading.latest(1_000_000, HORIZON));
  private String laps = "later:0:1|";
  private long horizon = HORIZON;

  /** What the index says of the id, and the message in the store. */
  private List<Said> said = List.of();

  private @Nullable DelayedMessage near;

  /** Offset up to which the store has everything. */
  private long next = 100;

  private long logEnd = OFFSET + 2;

  @Test
  void whatIsFarWithoutAnIdWaits() {
    message(null);

    assertThat(problem()).contains("FAR_WITHOUT_ID").doesNotContain("moved since");
  }

  @Test
  void nobodyCanTellWhatBecameOfItWhileItsCopyMayWait() {
    message(null);
    copy(DUE - HORIZON - 1);
    now.set(DUE - HORIZON / 2);

    assertThat(problem()).contains("FAR_WITHOUT_ID", "delivered, cancelled or moved since");
  }

  @Test
  void whatCameHomeAndIsNoLongerPendingIsGone() {
    message(null);
    now.set(DUE - HORIZON / 2);
    laps = "later:1:0|";

    assertThat(problem()).contains("NOT_FOUND");
  }

  @Test
  void copiesThatAreTooYoungAreNotItsCopy() {
    message(null);
    copy(DUE - HORIZON / 2);
    now.set(DUE - HORIZON / 4);

    assertThat(problem()).contains("NOT_FOUND");
  }

  /** The shard is paused, for instance. */
  @Test
  void whatHasNotLeftTheStoreYetIsNotGone() {
    message(null);
    now.set(DUE - HORIZON / 2);
    laps = "";
    stored.add(new Due(WRITTEN, OFFSET));

    assertThat(problem()).contains("FAR_WITHOUT_ID");
  }

  /** It was paused, or the laps are behind. */
  @Test
  void whatIsOverdueIsNotGone() {
    message(null);
    copy(WRITTEN);
    now.set(DUE + 1);

    assertThat(problem()).contains("FAR_WITHOUT_ID", "may have been delivered");
  }

  /** At least once, the checkpoint follows what was copied. */
  @Test
  void copiesThatTheCheckpointDoesNotCountAreThereAllTheSame() {
    message(null);
    copy(WRITTEN);
    now.set(DUE - HORIZON / 2);
    laps = "later:0:0|";

    assertThat(problem()).contains("FAR_WITHOUT_ID");
  }

  /** A message that was moved there, without an id: its origin is another record. */
  @Test
  void whatCameHomeIsFoundUnderItsKeyThere() {
    String mark = "v1|3|1|%d|-".formatted(DUE);
    log.add(record(INTAKE, OFFSET, WRITTEN, headers(null, DelayHeaders.RETRY, mark)));
    now.set(DUE - HORIZON / 2);
    stored.add(new Due(DUE, 3));

    assertThat(found().message().key()).isEqualTo(new Due(DUE, 3));
  }

  @Test
  void whatWasMovedBeyondTheHorizonIsFoundByTheSourceThatListsShow() {
    log.add(record(INTAKE, OFFSET, WRITTEN, headers("a", DelayHeaders.DELAY_MS, "1000")));
    copy(WRITTEN);
    said = List.of(new Said(SHARD, OFFSET, true, 0));

    assertThat(found().isFar()).isTrue();
    assertThat(found().offset()).isEqualTo(OFFSET);
  }

  @Test
  void anotherMessageOfTheSameIdIsNotIt() {
    message("a");
    said = List.of(new Said(SHARD, OFFSET + 1, true, Named.SOMEWHERE));

    assertThat(problem()).contains("NOT_FOUND");
  }

  /** The loop put it into the store, before there was a horizon. */
  @Test
  void whatWasReadUnderAnotherHorizonIsJudgedByThat() {
    message(null);
    admission =
        new Admission(
            List.of(
                new Admission.Rule(0, Reading.latest(1_000_000, 0)),
                new Admission.Rule(OFFSET + 1, Reading.latest(1_000_000, HORIZON))));

    assertThat(problem()).contains("NOT_FOUND");
  }

  @Test
  void whatIsFarIsSoWithTheHorizonSwitchedOff() {
    message(null);
    horizon = 0;

    assertThat(problem()).contains("FAR_WITHOUT_ID");
  }

  /** It is delivered as soon as it is due, and its id is forgotten then. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "in/0/7"})
  void whatIsMovedToNowIsMovedAlthoughItIsDeliveredAtOnce(String reference) {
    message("a");
    copy(WRITTEN);
    said = List.of(new Said(SHARD, OFFSET, true, 0));
    for (int i = 0; i <= OFFSET; i++) {
      var unused = producer.send(new ProducerRecord<>("in", 0, null, null));
    }
    producer.clear();

    Desk.Asked asked =
        desk()
            .ask(
                Reference.parse(reference, List.of("in")),
                Caller.ANYONE,
                DelayHeaders.OP_MOVE,
                Map.of(DelayHeaders.DELAY_MS, "0"));

    assertThat(asked.found().offset()).isEqualTo(OFFSET + 1);
    assertThat(near).isNull();
  }

  @Test
  void whatIsCancelledIsNotDelivered() {
    assertThat(cancelBehind("a", DelayHeaders.OP, DelayHeaders.OP_CANCEL)).contains("CANCELLED");
  }

  /** It was far when it was looked up, and nobody can tell what became of it since. */
  @Test
  void whatMayHaveBeenMovedBeforeTheCancelIsNotSaidToBeCancelled() {
    assertThat(cancelBehind("a", moveTo("0"))).contains("TOO_LATE");
  }

  @Test
  void norWhatMayHaveBeenSaidAnew() {
    assertThat(cancelBehind("a", DelayHeaders.RETRY, "v3|%d|1|%d|-|8".formatted(OFFSET, WRITTEN)))
        .contains("TOO_LATE");
  }

  /** The caller may have asked before, and got no answer. */
  @Test
  void anotherCancelDeliversNothing() {
    String pending = "%d/%d".formatted(OFFSET, DUE);
    assertThat(
            cancelBehind(
                "a", DelayHeaders.OP, DelayHeaders.OP_CANCEL, DelayHeaders.PENDING, pending))
        .contains("CANCELLED");
  }

  @Test
  void norDoesAMoveOfAnotherMessage() {
    assertThat(cancelBehind("b", moveTo("0"))).contains("CANCELLED");
  }

  @Test
  void norDoesAMoveBehindTheCancel() {
    log.add(record(INTAKE, OFFSET + 3, WRITTEN, headers("a", moveTo("0"))));
    logEnd = OFFSET + 4;

    assertThat(cancelBehind("a", DelayHeaders.OP, DelayHeaders.OP_CANCEL)).contains("CANCELLED");
  }

  private static String[] moveTo(String delay) {
    return new String[] {
      DelayHeaders.OP,
      DelayHeaders.OP_MOVE,
      DelayHeaders.PENDING,
      "%d/%d".formatted(OFFSET, DUE),
      DelayHeaders.DELAY_MS,
      delay
    };
  }

  /** Cancels a far message; this record is read after it was looked up, and before the cancel. */
  private String cancelBehind(String id, String... headers) {
    message("a");
    copy(WRITTEN);
    said = List.of(new Said(SHARD, OFFSET, true, 0));
    next = OFFSET + 1;
    log.add(0, record(INTAKE, OFFSET + 1, WRITTEN, headers(id, headers)));
    for (int i = 0; i <= OFFSET + 1; i++) {
      var unused = producer.send(new ProducerRecord<>("in", 0, null, null));
    }
    producer.clear();
    try {
      desk().ask(new Reference("a", null, -1), Caller.ANYONE, DelayHeaders.OP_CANCEL, Map.of());
      return "CANCELLED";
    } catch (WebApplicationException e) {
      return String.valueOf(e.getResponse().getEntity());
    }
  }

  private Found found() {
    return desk().find(BY_SOURCE, Caller.ANYONE);
  }

  private String problem() {
    WebApplicationException thrown =
        catchThrowableOfType(WebApplicationException.class, this::found);
    return String.valueOf(thrown.getResponse().getEntity());
  }

  private void message(@Nullable String id) {
    log.add(record(INTAKE, OFFSET, WRITTEN, headers(id, DelayHeaders.DELAY_MS, "60000")));
  }

  private void copy(long timestamp) {
    String mark = "v2|%d|1|%d|-".formatted(OFFSET, DUE);
    log.add(record(LATER, 0, timestamp, headers("a", DelayHeaders.RETRY, mark)));
  }

  private static RecordHeaders headers(@Nullable String id, String... namesAndValues) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(DelayHeaders.TARGET_TOPIC, "out".getBytes(UTF_8));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8));
    }
    if (id != null) {
      headers.add(DelayHeaders.ID, id.getBytes(UTF_8));
    }
    return headers;
  }

  private static ConsumerRecord<byte[], byte[]> record(
      TopicPartition partition, long offset, long timestamp, Iterable<Header> headers) {
    return new ConsumerRecord<>(
        partition.topic(),
        partition.partition(),
        offset,
        timestamp,
        TimestampType.CREATE_TIME,
        0,
        0,
        null,
        new byte[0],
        new RecordHeaders(headers),
        Optional.empty());
  }

  private Desk desk() {
    InstantSource clock = () -> Instant.ofEpochMilli(now.get());
    Clocks clocks = new Clocks(clock, System::nanoTime, nanos -> {}, () -> false);
    return new Desk(
        new IntakeWriter(() -> producer, () -> producer, clock, 1000),
        new IntakeReader(Log::new, System::nanoTime, Duration.ofSeconds(1)),
        Fakes.fake(PendingView.class, this::store),
        new ShardDirectory(
            Fakes.fake(Admin.class, this::kafka), "g", List.of("in"), Duration.ofSeconds(1)),
        intake -> Reading.latest(1_000_000, horizon),
        clocks,
        Duration.ofSeconds(10));
  }

  private Object store(String method, Object[] arguments) {
    return switch (method) {
      case "byId" -> near == null ? List.of() : List.of(new Found(SHARD, near, 1));
      case "byKey" -> byKey((Due) arguments[1]);
      case "said" -> said;
      case "summaries" -> List.of(new Summary(SHARD, next, 0, 0, 0, Long.MAX_VALUE));
      case "answer" -> Optional.of(answer());
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private Optional<Found> byKey(Due key) {
    if (near != null && near.key().equals(key)) {
      return Optional.of(new Found(SHARD, near, 1));
    }
    return stored.contains(key)
        ? Optional.of(new Found(SHARD, new DelayedMessage(key, Contents.with("a", "b")), 1))
        : Optional.empty();
  }

  /** The owner of the shard reads all that was written, and delivers what is due. */
  private Verdict answer() {
    if (near != null) {
      // The ask names it.
      near = null;
      said = List.of();
      return Verdict.MOVED;
    }
    ProducerRecord<byte[], byte[]> first = producer.history().get(0);
    if (first.headers().lastHeader(DelayHeaders.OP) != null) {
      // The cancel, whatever it finds.
      said = List.of();
      return Verdict.TOO_LATE;
    }
    ConsumerRecord<byte[], byte[]> instead = record(INTAKE, OFFSET + 1, WRITTEN, first.headers());
    log.add(instead);
    near =
        ((Replacement) RequestParser.parse(instead, Reading.latest(1_000_000, HORIZON))).message();
    said = List.of(new Said(SHARD, OFFSET + 1, false, 0));
    if (near.due() <= now.get()) {
      near = null;
      said = List.of();
    }
    return Verdict.TOO_LATE;
  }

  private Object kafka(String method, Object[] arguments) throws Exception {
    return switch (method) {
      case "describeTopics" -> Fakes.topic("in", 1);
      case "listOffsets" -> Fakes.offsets(Map.of(INTAKE, 8L));
      case "listConsumerGroupOffsets" -> checkpoints();
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private ListConsumerGroupOffsetsResult checkpoints() throws Exception {
    String rules =
        String.join(
            ",",
            admission.rules().stream()
                .map(rule -> rule.from() + ":1000000:" + rule.reading().horizon() + ":1")
                .toList());
    String checkpoint = "v1|t|1||%s|%s1".formatted(rules, laps);
    assertThat(Checkpoint.parse(checkpoint).admission()).isEqualTo(admission);
    return Fakes.committed(Map.of(INTAKE, new OffsetAndMetadata(8, checkpoint)));
  }

  /** Reads the log of the test. */
  private final class Log extends MockConsumer<byte[], byte[]> {
    Log() {
      super("none");
      updateBeginningOffsets(Map.of(INTAKE, 0L, LATER, 0L));
      updateEndOffsets(Map.of(INTAKE, logEnd, LATER, 1L));
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      for (ConsumerRecord<byte[], byte[]> record : log) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (assignment().contains(partition) && position(partition) <= record.offset()) {
          addRecord(record);
        }
      }
      return super.poll(timeout);
    }
  }
}
