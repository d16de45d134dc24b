package io.delaybridge.shard;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.InterruptException;

/** Asks the cluster about the topics each time. Used when a shard is acquired, not in a turn. */
public final class AdminIntakeTopics implements IntakeTopics {

  private final Admin admin;
  private final int timeoutMillis;
  private final NewShards newShards;

  /** Takes a client that outlives this, and the time-out of one question. */
  public AdminIntakeTopics(Admin admin, Duration timeout, NewShards newShards) {
    this.admin = admin;
    this.timeoutMillis = (int) timeout.toMillis();
    this.newShards = newShards;
  }

  @Override
  public Facts facts(String topic) {
    TopicDescription description =
        get(admin
                .describeTopics(
                    List.of(topic), new DescribeTopicsOptions().timeoutMs(timeoutMillis))
                .allTopicNames())
            .values()
            .iterator()
            .next();
    Set<Integer> leaderless =
        description.partitions().stream()
            .filter(each -> each.leader() == null || each.leader().isEmpty())
            .map(TopicPartitionInfo::partition)
            .collect(Collectors.toUnmodifiableSet());
    return new Facts(description.topicId().toString(), description.partitions().size(), leaderless);
  }

  @Override
  public long logEnd(TopicPartition partition) {
    return get(admin
            .listOffsets(
                Map.of(partition, OffsetSpec.latest()),
                new ListOffsetsOptions().timeoutMs(timeoutMillis))
            .partitionResult(partition))
        .offset();
  }

  @Override
  public NewShards newShards() {
    return newShards;
  }

  private static <T> T get(KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException cause
          ? cause
          : new KafkaException("Kafka does not answer", e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
