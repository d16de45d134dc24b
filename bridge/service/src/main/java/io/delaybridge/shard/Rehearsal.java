package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks once, before a loop joins the group, what the loop will ask for each shard, and connects to
 * every server that it will need. Whatever takes long the first time, such as loading classes and
 * opening connections, is then done while nobody waits for it.
 */
final class Rehearsal {

  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final LoopPorts ports;
  private final Runnable alive;

  /** Takes a callback to run after each step; each step may take some seconds. */
  Rehearsal(LoopPorts ports, Runnable alive) {
    this.ports = ports;
    this.alive = alive;
  }

  /** Runs the rehearsal. A failure here is reported when it matters. */
  void run(Collection<String> intakes) {
    try {
      // The steps that fail soonest if Kafka is away come first.
      for (String intake : intakes) {
        ask(intake);
        alive.run();
      }
      store();
      alive.run();
      ports.delivery().prepare();
      alive.run();
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException | StoreException e) {
      LOG.debug("The loop joins the group without a complete rehearsal", e);
    }
  }

  private void ask(String intake) {
    Consumer<byte[], byte[]> consumer = ports.consumer();
    TopicPartition any = new TopicPartition(intake, 0);
    ports.topics().facts(intake);
    ports.topics().logEnd(any);
    consumer.committed(Set.of(any), TIMEOUT);
    consumer.beginningOffsets(List.of(any), TIMEOUT);
    consumer.endOffsets(List.of(any), TIMEOUT);
  }

  /** Uses a shard that nobody has, and that is gone afterwards. */
  private void store() {
    String name = "rehearsal-" + UUID.randomUUID();
    ShardStore.Shard nobodys = new ShardStore.Shard(new ShardId(name, 0), name);
    try {
      Replies.await(ports.store().open(nobodys));
      Replies.await(ports.store().take(nobodys, 0, 1, 1));
    } finally {
      Replies.await(ports.store().drop(nobodys));
    }
  }
}
