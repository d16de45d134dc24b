package io.delaybridge.shard;

import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.store.ShardStore;
import java.time.Duration;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * The ports of a loop: one consumer, one producer, one connection to the store. They are made anew
 * each time the loop begins, and closed when it ends.
 *
 * @param expel takes the consumer out of the group from outside; does not wait
 */
public record LoopPorts(
    Consumer<byte[], byte[]> consumer,
    ShardStore store,
    Delivery delivery,
    Dispatch dispatch,
    IntakeTopics topics,
    LaterTopic later,
    Runnable expel)
    implements AutoCloseable {

  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(3);

  /** Leaves the group first: that still needs the store and, for a last checkpoint, Kafka. */
  @Override
  public void close() {
    try (store;
        delivery;
        later) {
      try {
        // A static member stays unless it is told to leave.
        consumer.close(
            CloseOptions.timeout(LEAVE_TIMEOUT)
                .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
      } finally {
        // Whoever was about to join does not know yet as whom, and does not leave. Nor does one
        // whose callbacks failed.
        expel.run();
      }
    }
  }

  /** Closes everything that a thread other than the loop's may close: not the consumer. */
  void abandon() {
    expel.run();
    try (store) {
      delivery.close();
    }
  }
}
