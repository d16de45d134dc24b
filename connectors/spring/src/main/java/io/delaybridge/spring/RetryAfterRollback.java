package io.delaybridge.spring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.ContainerProperties.EOSMode;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Writes the retry or the dead letter, and the offset of the record, in one new transaction. If it
 * fails, the record and all that were read behind it are delivered again after a second. Spring's
 * own processor works in a transaction of the container, and goes back to the record only if the
 * recoverer fails, not if the commit does.
 */
final class RetryAfterRollback<K, V> implements AfterRollbackProcessor<K, V> {

  private static final LogAccessor LOG = new LogAccessor(RetryAfterRollback.class);
  private static final long PAUSE_MS = 1_000;

  private final DelayBridgeRecoverer recoverer;
  private final AfterRollbackProcessor<K, V> again =
      new DefaultAfterRollbackProcessor<>(
          new FixedBackOff(PAUSE_MS, FixedBackOff.UNLIMITED_ATTEMPTS));

  /**
   * Uses the recoverer's template for the transaction.
   *
   * @throws IllegalArgumentException if that template has no transactions
   */
  RetryAfterRollback(DelayBridgeRecoverer recoverer) {
    if (!recoverer.operations().isTransactional()) {
      throw new IllegalArgumentException(
          "The template of the recoverer has no transactions, allowed: a producer factory with a"
              + " transaction id prefix (spring.kafka.producer.transaction-id-prefix)");
    }
    this.recoverer = recoverer;
  }

  @Override
  public void process(
      List<ConsumerRecord<K, V>> records,
      Consumer<K, V> consumer,
      MessageListenerContainer container,
      Exception exception,
      boolean recoverable,
      EOSMode eosMode) {
    if (recoverable && isSettled(records.subList(0, 1), consumer, exception)) {
      SeekUtils.doSeeksToBegin(untyped(records.subList(1, records.size())), consumer, LOG);
    } else {
      again.process(records, consumer, container, exception, false, eosMode);
    }
  }

  @Override
  public void processBatch(
      ConsumerRecords<K, V> records,
      List<ConsumerRecord<K, V>> recordList,
      Consumer<K, V> consumer,
      MessageListenerContainer container,
      Exception exception,
      boolean recoverable,
      EOSMode eosMode) {
    if (!recoverable || !isSettled(recordList, consumer, exception)) {
      again.process(recordList, consumer, container, exception, false, eosMode);
    }
  }

  @Override
  public void clearThreadState() {
    again.clearThreadState();
  }

  private boolean isSettled(
      List<ConsumerRecord<K, V>> records, Consumer<K, V> consumer, Exception exception) {
    try {
      recoverer
          .operations()
          .executeInTransaction(operations -> settle(operations, records, consumer, exception));
      return true;
    } catch (RuntimeException e) {
      LOG.error(
          e, () -> "Could not write the retries of failed records; the listener gets them again");
      return false;
    }
  }

  private boolean settle(
      KafkaOperations<Object, Object> operations,
      List<ConsumerRecord<K, V>> records,
      Consumer<K, V> consumer,
      Exception exception) {
    Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
    for (ConsumerRecord<K, V> record : records) {
      recoverer.accept(record, consumer, exception);
      ends.put(
          new TopicPartition(record.topic(), record.partition()),
          new OffsetAndMetadata(record.offset() + 1));
    }
    operations.sendOffsetsToTransaction(ends, consumer.groupMetadata());
    return true;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // It is only read.
  private static <K, V> List<ConsumerRecord<?, ?>> untyped(List<ConsumerRecord<K, V>> records) {
    return (List) records;
  }
}
