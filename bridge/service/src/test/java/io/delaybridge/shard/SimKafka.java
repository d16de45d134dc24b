package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.store.ShardStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in memory, as far as a bridge can see it: topics and their logs, transactions, one
 * consumer group. For one thread; everything happens synchronously.
 */
final class SimKafka implements IntakeTopics {

  static final String INTAKE = "delay-intake";
  static final String DEAD = "delay-deadletter";

  private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(5);

  private final SimClock clock;
  private final SimGroup group = new SimGroup();
  private final Map<String, Uuid> topicIds = new HashMap<>();
  private final Map<TopicPartition, SimLog> logs = new LinkedHashMap<>();
  private final Map<String, Exception> refused = new HashMap<>();
  private final Map<String, SimTransaction> open = new HashMap<>();
  private int slowReads;
  private final Set<TopicPartition> leaderless = new HashSet<>();
  private final Set<TopicPartition> orphans = new HashSet<>();
  private NewShards newShards = NewShards.NONE;
  private int uuids;
  private int maxPollRecords = 500;
  private Watcher watcher = new Watcher() {};

  /** Learns what readers of committed records see, at the moment it is decided. */
  interface Watcher {
    /** The record is visible. Checkpoints of its transaction are not yet. */
    default void published(ConsumerRecord<byte[], byte[]> record) {}

    /** A transaction is over, its checkpoints included. */
    default void ended() {}
  }

  /** Notifies this watcher from now on. */
  void watch(Watcher told) {
    watcher = told;
  }

  Watcher watcher() {
    return watcher;
  }

  SimKafka(SimClock clock) {
    this.clock = clock;
  }

  /** Epoch milliseconds. */
  long now() {
    return clock.millis();
  }

  SimGroup group() {
    return group;
  }

  int maxPollRecords() {
    return maxPollRecords;
  }

  /** Sets the largest number of records that one poll returns. */
  void maxPollRecords(int most) {
    maxPollRecords = most;
  }

  // Topics.

  void createTopic(String topic, int partitions) {
    topicIds.put(topic, new Uuid(7, ++uuids));
    addPartitions(topic, partitions);
  }

  /** Grows the topic to that many partitions; the existing ones stay as they are. */
  void addPartitions(String topic, int partitions) {
    for (int i = 0; i < partitions; i++) {
      TopicPartition partition = new TopicPartition(topic, i);
      if (!logs.containsKey(partition)) {
        logs.put(partition, new SimLog(partition));
        if (topic.equals(INTAKE)) {
          group.created(partition);
        }
      }
    }
  }

  /** Deletes the topic with all its records, and creates it again. */
  void recreateTopic(String topic) {
    topicIds.put(topic, new Uuid(7, ++uuids));
    logs.replaceAll(
        (partition, log) -> partition.topic().equals(topic) ? new SimLog(partition) : log);
  }

  /** Deletes the topic; what was written to it can still be read. */
  void deleteTopic(String topic) {
    topicIds.remove(topic);
  }

  boolean hasTopic(String topic) {
    return topicIds.containsKey(topic);
  }

  @Override
  public Facts facts(String topic) {
    Uuid id = topicIds.get(topic);
    if (id == null) {
      throw new UnknownTopicOrPartitionException("there is no topic " + topic);
    }
    long partitions = logs.keySet().stream().filter(each -> each.topic().equals(topic)).count();
    Set<Integer> known =
        leaderless.stream()
            .filter(each -> each.topic().equals(topic))
            .map(TopicPartition::partition)
            .collect(Collectors.toSet());
    return new Facts(id.toString(), (int) partitions, known);
  }

  /** Leaves the partition without a leader, as Kafka reports, or gives it one again. */
  void leaderless(TopicPartition partition, boolean so) {
    if (so) {
      leaderless.add(partition);
    } else {
      leaderless.remove(partition);
    }
  }

  /** Leaves the partition without a leader from now on: a request for its offsets times out. */
  void orphan(TopicPartition partition) {
    orphans.add(partition);
  }

  /** The next reads of later topics find that nothing has been fetched yet. */
  void fetchesSlowly(int reads) {
    slowReads = reads;
  }

  /** Counts down what {@link #fetchesSlowly} has set. */
  boolean hasFetched() {
    boolean fetched = slowReads == 0;
    slowReads = Math.max(0, slowReads - 1);
    return fetched;
  }

  void awaitLeader(TopicPartition partition, Duration timeout) {
    if (orphans.contains(partition) || leaderless.contains(partition)) {
      clock.pass(timeout);
      throw new TimeoutException("nobody leads " + partition);
    }
  }

  /** Sets the log end that a bridge sees if it starts now, for a topic without checkpoints. */
  void bridgeLooks(TopicPartition partition) {
    ShardId id = new ShardId(partition.topic(), partition.partition());
    newShards =
        NewShards.of(
            Map.of(new ShardStore.Shard(id, facts(partition.topic()).id()), log(partition).end()));
  }

  @Override
  public NewShards newShards() {
    return newShards;
  }

  @Override
  public long logEnd(TopicPartition partition) {
    awaitLeader(partition, ADMIN_TIMEOUT);
    return log(partition).end();
  }

  SimLog log(TopicPartition partition) {
    SimLog log = logs.get(partition);
    if (log == null) {
      throw new KafkaException("there is no partition " + partition);
    }
    return log;
  }

  /** Returns the partitions of the intake in the order of their creation. */
  List<TopicPartition> intake() {
    return logs.keySet().stream().filter(each -> each.topic().equals(INTAKE)).toList();
  }

  List<ConsumerRecord<byte[], byte[]>> records(String topic) {
    return logs.entrySet().stream()
        .filter(each -> each.getKey().topic().equals(topic))
        .flatMap(each -> each.getValue().readable().stream())
        .toList();
  }

  // Producers.

  /** Appends the record to the partition it asks for, or to the first one. */
  RecordMetadata append(ProducerRecord<byte[], byte[]> record, boolean openTransaction) {
    Integer wanted = record.partition();
    TopicPartition partition = new TopicPartition(record.topic(), wanted == null ? 0 : wanted);
    Long given = record.timestamp();
    long timestamp = given == null ? clock.millis() : given;
    long offset = log(partition).append(record, timestamp, openTransaction);
    if (!openTransaction) {
      watcher.published(Objects.requireNonNull(log(partition).readable(offset)));
    }
    return new RecordMetadata(partition, offset, 0, timestamp, 0, 0);
  }

  /** Begins a transaction of a producer that is not the bridge. */
  SimTransaction begin() {
    return new SimTransaction(this);
  }

  /** Begins the next transaction under that id and aborts one that its predecessor left open. */
  SimTransaction begin(String transactionalId) {
    abortLeftOver(transactionalId);
    SimTransaction next = begin();
    open.put(transactionalId, next);
    return next;
  }

  /** Aborts an open transaction, as when a producer starts or the transaction times out. */
  void abortLeftOver(String transactionalId) {
    SimTransaction left = open.remove(transactionalId);
    if (left != null) {
      left.abort();
    }
  }

  /** Refuses records of this topic with this value from now on. */
  void refuse(String topic, String value, Exception why) {
    refused.put(topic + ' ' + value, why);
  }

  /** Ends all refusals. */
  void accept() {
    refused.clear();
  }

  @Nullable Exception refusal(ProducerRecord<byte[], byte[]> record) {
    byte[] value = record.value();
    return value == null
        ? null
        : refused.get(record.topic() + ' ' + new String(value, StandardCharsets.UTF_8));
  }
}
