package io.delaybridge.delivery;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;

/** Answers the catalogue's requests to Kafka, from topics that a test declares. */
final class StubAdmin {

  private static final Node BROKER = new Node(1, "127.0.0.1", 9092);

  /** Monotonic clock of the catalogue; a test moves it on. */
  final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

  /** The topics of each question, in order. */
  final List<List<String>> questions = new ArrayList<>();

  private final Map<String, Topic> topics = new HashMap<>();

  private record Topic(
      @Nullable ApiException fault,
      List<TopicPartitionInfo> partitions,
      @Nullable Integer limit,
      int inSync) {

    Topic(
        @Nullable ApiException fault,
        List<TopicPartitionInfo> partitions,
        @Nullable Integer limit) {
      this(fault, partitions, limit, 1);
    }
  }

  StubAdmin available(String name, int maxBytes) {
    topics.put(name, new Topic(null, List.of(partition(0, BROKER)), maxBytes));
    return this;
  }

  StubAdmin withPartitions(String name, int count) {
    List<TopicPartitionInfo> partitions =
        IntStream.range(0, count).mapToObj(number -> partition(number, BROKER)).toList();
    topics.put(name, new Topic(null, partitions, 1 << 20));
    return this;
  }

  StubAdmin withoutConfiguration(String name) {
    topics.put(name, new Topic(null, List.of(partition(0, BROKER)), null));
    return this;
  }

  StubAdmin leaderless(String name, int partition, @Nullable Node leader) {
    topics.put(
        name,
        new Topic(null, List.of(partition(0, BROKER), partition(partition, leader)), 1 << 20));
    return this;
  }

  /** The last of the partitions has lost all replicas but its leader. */
  StubAdmin outOfSync(String name, int replicas, int needed) {
    List<Node> all = Collections.nCopies(replicas, BROKER);
    topics.put(
        name,
        new Topic(
            null,
            List.of(
                new TopicPartitionInfo(0, BROKER, all, all),
                new TopicPartitionInfo(1, BROKER, all, List.of(BROKER))),
            1 << 20,
            needed));
    return this;
  }

  StubAdmin faulty(String name, ApiException fault) {
    topics.put(name, new Topic(fault, List.of(), null));
    return this;
  }

  StubAdmin missing(String name) {
    topics.remove(name);
    return this;
  }

  TargetCatalog catalog() {
    return new TargetCatalog(admin(), nanos::get, java.time.Duration.ofSeconds(1));
  }

  private static TopicPartitionInfo partition(int number, @Nullable Node leader) {
    return new TopicPartitionInfo(number, leader, List.of(BROKER), List.of(BROKER));
  }

  private Admin admin() {
    return (Admin)
        Proxy.newProxyInstance(
            StubAdmin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              Collection<?> asked = (Collection<?>) arguments[0];
              return switch (method.getName()) {
                case "describeTopics" -> describeTopics(asked);
                case "describeConfigs" -> describeConfigs(asked);
                default -> throw new UnsupportedOperationException(method.getName());
              };
            });
  }

  private DescribeTopicsResult describeTopics(Collection<?> names) {
    questions.add(names.stream().map(String::valueOf).sorted().toList());
    Map<String, KafkaFuture<TopicDescription>> answers = new HashMap<>();
    for (Object asked : names) {
      String name = String.valueOf(asked);
      Topic topic = topics.get(name);
      if (topic == null) {
        answers.put(name, failed(new UnknownTopicOrPartitionException("no topic " + name)));
      } else if (topic.fault != null) {
        answers.put(name, failed(topic.fault));
      } else {
        answers.put(
            name, KafkaFuture.completedFuture(new TopicDescription(name, false, topic.partitions)));
      }
    }
    return new DescribeTopicsResult(null, answers) {};
  }

  private DescribeConfigsResult describeConfigs(Collection<?> resources) {
    Map<ConfigResource, KafkaFuture<Config>> answers = new HashMap<>();
    for (Object asked : resources) {
      ConfigResource resource = (ConfigResource) asked;
      Topic topic = topics.get(resource.name());
      answers.put(
          resource,
          topic == null || topic.limit == null
              ? failed(
                  new org.apache.kafka.common.errors.TopicAuthorizationException(
                      "no access to the configuration"))
              : KafkaFuture.completedFuture(
                  new Config(
                      List.of(
                          new ConfigEntry("cleanup.policy", "delete"),
                          new ConfigEntry("min.insync.replicas", Integer.toString(topic.inSync)),
                          new ConfigEntry("max.message.bytes", topic.limit.toString())))));
    }
    return new DescribeConfigsResult(answers) {};
  }

  private static <T> KafkaFuture<T> failed(ApiException fault) {
    KafkaFutureImpl<T> future = new KafkaFutureImpl<>();
    future.completeExceptionally(fault);
    return future;
  }
}
