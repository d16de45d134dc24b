package io.delaybridge.admin.desk;

import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.internals.CoordinatorKey;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** Interfaces that answer as a test says, and answers of Kafka. */
final class Fakes {

  private Fakes() {}

  /** Answers a call by the name of its method. */
  interface Answers {
    Object answer(String method, Object[] arguments) throws Exception;
  }

  static <T> T fake(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.answer(method.getName(), arguments)));
  }

  /** Describes one topic. */
  static DescribeTopicsResult topic(String name, int partitions) {
    return new Topic(name, partitions);
  }

  private static final class Topic extends DescribeTopicsResult {
    Topic(String name, int partitions) {
      super(null, Map.of(name, KafkaFuture.completedFuture(description(name, partitions))));
    }

    private static TopicDescription description(String name, int partitions) {
      Node node = new Node(1, "localhost", 9092);
      return new TopicDescription(
          name,
          false,
          IntStream.range(0, partitions)
              .mapToObj(i -> new TopicPartitionInfo(i, node, List.of(node), List.of(node)))
              .toList());
    }
  }

  /** The end, or the start, of each partition. */
  static ListOffsetsResult offsets(Map<TopicPartition, Long> offsets) {
    Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> all = new HashMap<>();
    offsets.forEach(
        (partition, offset) ->
            all.put(
                partition,
                KafkaFuture.completedFuture(
                    new ListOffsetsResultInfo(offset, 0, Optional.empty()))));
    return new ListOffsetsResult(all);
  }

  /** What the group "g" has committed. */
  static ListConsumerGroupOffsetsResult committed(Map<TopicPartition, OffsetAndMetadata> offsets)
      throws ReflectiveOperationException {
    Constructor<ListConsumerGroupOffsetsResult> constructor =
        ListConsumerGroupOffsetsResult.class.getDeclaredConstructor(Map.class);
    constructor.setAccessible(true);
    return constructor.newInstance(
        Map.of(CoordinatorKey.byGroupId("g"), KafkaFuture.completedFuture(offsets)));
  }
}
