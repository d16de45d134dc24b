package io.delaybridge.deadletter.index;

import io.delaybridge.message.Source;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Checks that the two topics of the index are as they must be, and forgets here what the
 * dead-letter topic no longer has. For one thread.
 */
public final class TopicWatch {

  private final Admin admin;
  private final String letterTopic;
  private final String marksTopic;
  private final Consumer<List<Source>> forget;
  private final Map<TopicPartition, Long> begins = new HashMap<>();
  private Set<Source> goneBefore = Set.of();
  private int partitions;

  /**
   * @param forget takes marks off the topic for good
   */
  public TopicWatch(
      Admin admin, String letterTopic, String marksTopic, Consumer<List<Source>> forget) {
    this.admin = admin;
    this.letterTopic = letterTopic;
    this.marksTopic = marksTopic;
    this.forget = forget;
  }

  /**
   * How many partitions the dead-letter topic has.
   *
   * @throws IllegalStateException if one of them is missing, or the marks topic is not one that can
   *     be relied on
   */
  int check() throws ExecutionException, InterruptedException {
    Map<String, KafkaFuture<TopicDescription>> topics =
        admin.describeTopics(List.of(letterTopic, marksTopic)).topicNameValues();
    int marks = count(topics, marksTopic, "1 partition, cleanup.policy compact");
    if (marks != 1) {
      throw new IllegalStateException(
          "topic %s has %d partitions, needed: 1".formatted(marksTopic, marks));
    }
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, marksTopic);
    Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
    ConfigEntry cleanup = config == null ? null : config.get(TopicConfig.CLEANUP_POLICY_CONFIG);
    if (cleanup != null && !TopicConfig.CLEANUP_POLICY_COMPACT.equals(cleanup.value())) {
      throw new IllegalStateException(
          "topic %s has cleanup.policy %s, needed: compact".formatted(marksTopic, cleanup.value()));
    }
    partitions = count(topics, letterTopic, "the topic of the dead letters");
    return partitions;
  }

  private static int count(
      Map<String, KafkaFuture<TopicDescription>> topics, String topic, String needed)
      throws ExecutionException, InterruptedException {
    try {
      return Objects.requireNonNull(topics.get(topic)).get().partitions().size();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw new IllegalStateException(
            "topic %s does not exist, needed: %s".formatted(topic, needed), e);
      }
      throw e;
    }
  }

  /** Forgets letters that the topic has deleted, and what was done about them. */
  void sweep(LetterStore letters, MarkStore marks) throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (int i = 0; i < partitions; i++) {
      asked.put(new TopicPartition(letterTopic, i), OffsetSpec.earliest());
    }
    Map<TopicPartition, ListOffsetsResultInfo> answers = admin.listOffsets(asked).all().get();
    Set<Source> gone = new HashSet<>();
    answers.forEach(
        (partition, begin) -> {
          Long before = begins.put(partition, begin.offset());
          if (before == null || before != begin.offset()) {
            letters.dropBelow(partition.partition(), begin.offset());
          }
          // Also if nothing has moved: a mark may have been written since.
          gone.addAll(marks.below(partition.partition(), begin.offset()));
        });
    // Not at once: the other instances must have forgotten the letters before their marks go.
    List<Source> goneForAll = gone.stream().filter(goneBefore::contains).toList();
    goneBefore = gone;
    if (!goneForAll.isEmpty()) {
      forget.accept(goneForAll);
    }
  }
}
