package io.delaybridge.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delaybridge.connect.callback.Records;
import io.delaybridge.connect.it.Receiver;
import io.delaybridge.connect.it.Receiver.Answer;
import io.delaybridge.connect.it.Receiver.Call;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The task as a worker drives it, with a real server, while Kafka is unavailable. */
class CallbackSinkTaskTest {

  private static final TopicPartition PARTITION = new TopicPartition("reminders", 0);
  private static final TopicPartition OTHER = new TopicPartition("reminders", 1);

  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private volatile String silentFor = "";
  private volatile int status = 200;
  private final Receiver receiver = new Receiver(this::answer);
  private final CallbackSinkTask task = new CallbackSinkTask();

  private Set<TopicPartition> assignment = Set.of(PARTITION, OTHER);

  /** The requests of the task to the worker. */
  private final List<String> asked = new ArrayList<>();

  private Answer answer(Call call) {
    calls.add(call);
    return Answer.of(silentFor.contains(call.text()) ? Answer.NEVER : status);
  }

  @BeforeEach
  void start() {
    task.initialize(
        (SinkTaskContext)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SinkTaskContext.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("assignment")) {
                    return assignment;
                  }
                  asked.add(method.getName());
                  return null;
                }));
    task.start(config());
  }

  private Map<String, String> config() {
    return new HashMap<>(
        Map.of(
            "callback.url", receiver.url("/"),
            "callback.allowed.schemes", "http",
            "callback.allowed.ports", Integer.toString(receiver.port()),
            "callback.allowed.addresses", "127.0.0.1",
            "callback.max.in.flight", "2",
            "callback.kafka.bootstrap.servers", "127.0.0.1:1"));
  }

  @AfterEach
  void stop() {
    task.stop();
    receiver.close();
  }

  private static SinkRecord record(int partition, long offset, String value) {
    return Records.sink(partition, offset, null, value);
  }

  private Map<TopicPartition, Long> committable(Map<TopicPartition, Long> read) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    read.forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset)));
    Map<TopicPartition, Long> result = new HashMap<>();
    task.preCommit(offsets).forEach((partition, offset) -> result.put(partition, offset.offset()));
    return result;
  }

  @Test
  void whatIsAcceptedMayBeCommitted() {
    task.put(List.of(record(0, 5, "a"), record(0, 6, "b"), record(1, 1, "c")));

    await()
        .untilAsserted(
            () ->
                assertThat(committable(Map.of(PARTITION, 9L, OTHER, 2L)))
                    .isEqualTo(Map.of(PARTITION, 9L, OTHER, 2L)));
    assertThat(calls).hasSize(3);
    assertThat(asked).isEmpty();
  }

  @Test
  void nothingIsCommittedBeyondWhatIsUnfinished() {
    silentFor = "b";
    task.put(List.of(record(0, 5, "a"), record(0, 6, "b"), record(0, 7, "c"), record(1, 1, "d")));

    await().until(() -> calls.size() == 4);
    await()
        .untilAsserted(
            () ->
                assertThat(committable(Map.of(PARTITION, 8L, OTHER, 2L)))
                    .isEqualTo(Map.of(PARTITION, 6L, OTHER, 2L)));
  }

  @Test
  void readsNoMoreWhileTooManyWaitAndGoesOnAfterwards() {
    silentFor = "x";
    task.put(IntStream.range(0, 12).mapToObj(i -> record(0, i, "x")).toList());
    assertThat(asked).containsExactly("pause", "timeout");

    task.put(List.of());
    assertThat(asked).containsExactly("pause", "timeout", "pause", "timeout");

    task.close(List.of(PARTITION, OTHER));
    assertThat(calls).hasSize(2);
  }

  @Test
  void goesOnWhenThereIsRoomAgain() {
    silentFor = "x";
    task.put(Arrays.asList(record(0, 0, "x"), record(0, 1, "x")));
    task.put(IntStream.range(2, 12).mapToObj(i -> record(1, i, "y")).toList());
    assertThat(asked).containsExactly("pause", "timeout");

    // The silent call is given up, and the records behind it no longer belong to this task.
    task.close(List.of(PARTITION, OTHER));
    receiver.close();
    task.put(List.of());

    assertThat(asked).endsWith("resume");
  }

  /** A rebalance takes everything away, lasts for some polls, and gives back what was paused. */
  @Test
  void goesOnWithWhatComesBackPausedIfThereWasRoomMeanwhile() {
    silentFor = "x";
    task.put(IntStream.range(0, 12).mapToObj(i -> record(0, i, "x")).toList());
    task.close(List.of(PARTITION, OTHER));
    receiver.close();
    assignment = Set.of();
    task.put(List.of());
    asked.clear();

    assignment = Set.of(PARTITION);
    task.open(List.of(PARTITION));

    assertThat(asked).containsExactly("resume");
  }

  @Test
  void aPartitionThatComesBackBeginsAnew() {
    silentFor = "a";
    task.put(List.of(record(0, 5, "a")));
    await().until(() -> calls.size() == 1);

    task.close(List.of(PARTITION));
    silentFor = "";
    task.put(List.of(record(0, 5, "a")));

    await()
        .untilAsserted(
            () -> assertThat(committable(Map.of(PARTITION, 6L))).containsEntry(PARTITION, 6L));
  }

  /** The producer guards itself against exceptions of an interceptor, not against errors. */
  public static final class Dies implements ProducerInterceptor<byte[], byte[]> {

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
      throw new NoClassDefFoundError("gone");
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public void close() {}
  }

  @Test
  void anErrorOnAnotherThreadEndsTheTask() {
    task.stop();
    Map<String, String> config = config();
    config.put("callback.kafka.interceptor.classes", Dies.class.getName());
    task.start(config);
    status = 500;

    task.put(List.of(record(0, 5, "a")));

    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> task.put(List.of()))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("NoClassDefFoundError: gone"));
    assertThat(committable(Map.of(PARTITION, 6L))).containsEntry(PARTITION, 5L);
  }

  /** Two may be under way, so nothing else is called any more. */
  @Test
  void errorsThatTakeEveryPlaceEndTheTaskToo() {
    task.stop();
    Map<String, String> config = config();
    config.put("callback.kafka.interceptor.classes", Dies.class.getName());
    task.start(config);
    status = 500;
    List<SinkRecord> records =
        IntStream.range(5, 25).mapToObj(offset -> record(0, offset, "a")).toList();

    task.put(records);

    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> task.put(List.of()))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("NoClassDefFoundError: gone"));
    assertThat(committable(Map.of(PARTITION, 25L))).containsEntry(PARTITION, 5L);
  }

  @Test
  void aRecordThatIsNotBytesEndsTheTask() {
    SinkRecord text = record(0, 0, "a").newRecord("reminders", 0, null, null, null, "a", 0L);

    assertThatThrownBy(() -> task.put(List.of(text)))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("set value.converter to");
  }
}
