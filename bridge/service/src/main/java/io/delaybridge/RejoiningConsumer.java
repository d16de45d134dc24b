package io.delaybridge;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Kafka's consumer, which joins its group again when the {@link FollowUpAssignor} says so: in the
 * poll that has read the division, or in the first one after a pause.
 */
final class RejoiningConsumer extends KafkaConsumer<byte[], byte[]> {

  private static final String WHY = "the next rebalance follows";

  private static final int NEVER = -1;

  /** The division after which it is to rejoin. If another one has come meanwhile, that says. */
  private int after = NEVER;

  private long at;

  private RejoiningConsumer(Map<String, Object> properties) {
    super(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Makes a consumer with these properties, and adds one to them. */
  static RejoiningConsumer of(Map<String, Object> properties) {
    AtomicReference<RejoiningConsumer> made = new AtomicReference<>();
    FollowUpAssignor.Rejoin rejoin = pause -> Objects.requireNonNull(made.get()).rejoin(pause);
    properties.put(FollowUpAssignor.REJOIN, rejoin);
    RejoiningConsumer consumer = new RejoiningConsumer(properties);
    made.set(consumer);
    return consumer;
  }

  private void rejoin(Duration pause) {
    if (pause.isZero()) {
      enforceRebalance(WHY);
    } else {
      after = groupMetadata().generationId();
      at = System.nanoTime() + pause.toNanos();
    }
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    if (after != NEVER && System.nanoTime() - at >= 0) {
      if (groupMetadata().generationId() == after) {
        enforceRebalance(WHY);
      }
      after = NEVER;
    }
    return super.poll(timeout);
  }
}
