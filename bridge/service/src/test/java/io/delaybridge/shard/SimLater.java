package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayTopics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;

/**
 * The later topic of a {@link SimKafka}, as a bridge knows it: it exists if somebody had created it
 * when the bridge was started.
 */
final class SimLater implements LaterTopic {

  static final String TOPIC = DelayTopics.laterOf(SimKafka.INTAKE);

  private final SimKafka kafka;
  private final boolean exists;

  SimLater(SimKafka kafka) {
    this.kafka = kafka;
    this.exists = kafka.hasTopic(TOPIC);
  }

  private SimLog log(ShardId shard) {
    return kafka.log(LaterTopic.partition(shard));
  }

  @Override
  public boolean exists(String intake) {
    return exists;
  }

  @Override
  public Read read(ShardId shard, long from, int most) {
    SimLog log = log(shard);
    if (!kafka.hasFetched()) {
      return new Read(List.of(), from);
    }
    if (from < log.start()) {
      throw new OffsetOutOfRangeException(Map.of(LaterTopic.partition(shard), from));
    }
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    long next = from;
    while (next < log.lastStable() && records.size() < Math.min(most, kafka.maxPollRecords())) {
      ConsumerRecord<byte[], byte[]> record = log.readable(next++);
      if (record != null) {
        records.add(record);
      }
    }
    return new Read(records, next);
  }

  @Override
  public long start(ShardId shard) {
    return log(shard).start();
  }

  @Override
  public void close() {}
}
