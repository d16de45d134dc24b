package io.delaybridge.deadletter.index;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** Makes the Kafka clients that dead letters need, as the bridge is configured. */
public interface DeadLetterClients {

  /** A client for questions about topics. */
  Admin admin();

  /** A consumer without a group that reads committed records and is told where to begin. */
  Consumer<byte[], byte[]> reader(String clientId);

  /** A producer without transactions. */
  Producer<byte[], byte[]> producer(String clientId);

  /**
   * A producer whose transactions replace those of its predecessor with the same id. It compresses,
   * so that an intake takes again what it took once.
   */
  Producer<byte[], byte[]> compressingProducer(String clientId, String transactionalId);

  /** How to reach the cluster: the properties of every client. */
  Map<String, Object> common();

  /** The configured settings for consumers. They override {@link #common()}. */
  Map<String, String> consumerOverrides();
}
