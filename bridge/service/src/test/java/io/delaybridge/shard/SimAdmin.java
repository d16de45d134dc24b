package io.delaybridge.shard;

import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;

/** The two questions about targets that a bridge asks a {@link SimKafka}. */
final class SimAdmin {

  private SimAdmin() {}

  static Admin of(SimKafka kafka) {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "describeTopics" -> new Topics(kafka, (Collection<?>) arguments[0]);
                  case "describeConfigs" -> new Configs((Collection<?>) arguments[0]);
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }

  private static final class Topics extends DescribeTopicsResult {
    Topics(SimKafka kafka, Collection<?> topics) {
      super(null, answers(kafka, topics));
    }

    private static Map<String, KafkaFuture<TopicDescription>> answers(
        SimKafka kafka, Collection<?> topics) {
      Map<String, KafkaFuture<TopicDescription>> answers = new HashMap<>();
      for (Object each : topics) {
        String topic = (String) each;
        KafkaFutureImpl<TopicDescription> answer = new KafkaFutureImpl<>();
        if (kafka.hasTopic(topic)) {
          Node node = new Node(1, "localhost", 9092);
          TopicPartitionInfo partition =
              new TopicPartitionInfo(0, node, List.of(node), List.of(node));
          answer.complete(new TopicDescription(topic, false, List.of(partition)));
        } else {
          answer.completeExceptionally(new UnknownTopicOrPartitionException(topic));
        }
        answers.put(topic, answer);
      }
      return answers;
    }
  }

  private static final class Configs extends DescribeConfigsResult {
    Configs(Collection<?> resources) {
      super(answers(resources));
    }

    private static Map<ConfigResource, KafkaFuture<Config>> answers(Collection<?> resources) {
      Map<ConfigResource, KafkaFuture<Config>> answers = new HashMap<>();
      for (Object each : resources) {
        answers.put((ConfigResource) each, KafkaFuture.completedFuture(new Config(List.of())));
      }
      return answers;
    }
  }
}
