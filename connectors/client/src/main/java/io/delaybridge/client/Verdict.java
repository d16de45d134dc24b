package io.delaybridge.client;

import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What happens to a record that a consumer failed on. */
public sealed interface Verdict<K, V> {

  /** The record to send, for the intake or for the dead-letter topic. */
  ProducerRecord<K, V> record();

  /** The attempt that failed, from 1. */
  int attempt();

  /**
   * The record comes back later.
   *
   * @param record for the intake
   * @param attempt the attempt that failed, from 1
   * @param delay when it comes back, from the moment it is sent
   */
  record Retry<K, V>(ProducerRecord<K, V> record, int attempt, Duration delay)
      implements Verdict<K, V> {}

  /**
   * The record is given up.
   *
   * @param record for the dead-letter topic
   * @param attempt the attempt that failed, from 1
   * @param hopeless true if this kind of failure is not retried, false if it was the last attempt
   */
  record Dead<K, V>(ProducerRecord<K, V> record, int attempt, boolean hopeless)
      implements Verdict<K, V> {}
}
