package io.delaybridge.deadletter.index;

import static io.delaybridge.deadletter.letters.Letters.AT;
import static io.delaybridge.deadletter.letters.Letters.letter;
import static io.delaybridge.deadletter.letters.Letters.source;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delaybridge.deadletter.letters.LetterReader;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.Marks;
import io.delaybridge.message.Source;
import io.delaybridge.stack.Stack;
import io.delaybridge.stack.StackSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The requirements on the two topics, on a real broker. */
class DeadLetterTopicsIT {

  private static Stack stack;
  private static Admin admin;
  private static KafkaProducer<byte[], byte[]> producer;

  @BeforeAll
  static void start() throws Exception {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    stack = Stack.start(Files.createTempDirectory(parent, "topics"), StackSettings.NONE);
    admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, stack.bootstrapServers()));
    producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, stack.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @AfterAll
  static void stop() {
    producer.close();
    admin.close();
    stack.close();
  }

  /** Returns when the broker knows the topic, which is some time after the controller does. */
  private static void create(String topic, int partitions, String cleanup) throws Exception {
    NewTopic created =
        new NewTopic(topic, Optional.of(partitions), Optional.empty())
            .configs(Map.of("cleanup.policy", cleanup));
    admin.createTopics(List.of(created)).all().get();
    await().until(() -> admin.listTopics().names().get().contains(topic));
  }

  private static void write(String topic, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {(byte) i})).get();
    }
  }

  private static void deleteBelow(String topic, long offset) throws Exception {
    admin
        .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offset)))
        .all()
        .get();
  }

  @Test
  void theTopicsMustBeThereAndTheMarksCompactedInOnePartition() throws Exception {
    create("letters-1", 3, "delete");
    create("good-marks", 1, "compact");
    create("many-marks", 2, "compact");
    create("deleted-marks", 1, "delete");

    assertThat(watch("letters-1", "good-marks").check()).isEqualTo(3);
    assertThatThrownBy(() -> watch("letters-1", "many-marks").check())
        .hasMessage("topic many-marks has 2 partitions, needed: 1");
    assertThatThrownBy(() -> watch("letters-1", "deleted-marks").check())
        .hasMessage("topic deleted-marks has cleanup.policy delete, needed: compact");
    assertThatThrownBy(() -> watch("letters-1", "no-marks").check())
        .hasMessage("topic no-marks does not exist, needed: 1 partition, cleanup.policy compact");
    assertThatThrownBy(() -> watch("no-letters", "good-marks").check())
        .hasMessage("topic no-letters does not exist, needed: the topic of the dead letters");
  }

  private static TopicWatch watch(String letters, String marks) {
    return new TopicWatch(admin, letters, marks, gone -> {});
  }

  @Test
  void whatTheTopicHasDeletedIsForgottenAndItsMarkOneSweepLater() throws Exception {
    create("letters-2", 1, "delete");
    create("marks-2", 1, "compact");
    write("letters-2", 3);
    deleteBelow("letters-2", 2);
    LetterStore letters = new LetterStore(10, new Rates(1));
    MarkStore marks = new MarkStore();
    for (int i = 0; i < 3; i++) {
      letters.put(letter(i, "EXPIRED", "orders", AT + i));
      marks.put(source(i), Marks.mark(Mark.State.HANDLED, i));
    }
    List<Source> forgotten = new ArrayList<>();
    TopicWatch watch = new TopicWatch(admin, "letters-2", "marks-2", forgotten::addAll);
    watch.check();

    watch.sweep(letters, marks);

    assertThat(letters.newestFirst(null)).containsExactly(letter(2, "EXPIRED", "orders", AT + 2));
    assertThat(forgotten).isEmpty();
    watch.sweep(letters, marks);
    assertThat(forgotten).containsExactlyInAnyOrder(source(0), source(1));
  }

  @Test
  void contentIsReadWhereverItIsAndLeftOutWhereItIsNotAnyMore() throws Exception {
    create("letters-3", 1, "delete");
    create("letters-4", 1, "delete");
    write("letters-3", 700);
    write("letters-4", 2);
    deleteBelow("letters-3", 5);
    List<Source> wanted =
        IntStream.of(3, 5, 6, 650, 699, 700)
            .mapToObj(offset -> new Source("letters-3", 0, offset))
            .collect(Collectors.toCollection(ArrayList::new));
    wanted.add(new Source("letters-4", 0, 1));

    try (LetterReader reader =
        new LetterReader(
            new KafkaConsumer<>(
                Map.of(
                    ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                    stack.bootstrapServers(),
                    ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                    "none",
                    ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                    2),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer()),
            System::nanoTime)) {
      assertThat(reader.read(wanted).keySet())
          .extracting(Source::toString)
          .containsExactlyInAnyOrder(
              "letters-3/0/5",
              "letters-3/0/6",
              "letters-3/0/650",
              "letters-3/0/699",
              "letters-4/0/1");
    }
  }
}
