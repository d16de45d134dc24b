package io.delaybridge.shard;

import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** Returns the facts about the intake topics that the consumer does not provide. */
public interface IntakeTopics {

  /**
   * @param id Kafka's id of the topic, which changes when the topic is created anew
   * @param partitions how many it has now
   * @param leaderless those of them that have no leader, so that nobody tells their offsets
   */
  record Facts(String id, int partitions, Set<Integer> leaderless) {}

  /** Asks Kafka. Throws a KafkaException if it does not answer or there is no such topic. */
  Facts facts(String topic);

  /**
   * The end of the log, transactions that are still open included. Throws a KafkaException if Kafka
   * does not answer.
   */
  long logEnd(TopicPartition partition);

  /** The shards that were found to be new when the process started. */
  NewShards newShards();
}
