package io.delaybridge.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/** The output of one turn of a {@link RetryLoop}, all of it or nothing. For one thread. */
interface Output<K, V> {

  void begin();

  void send(ProducerRecord<K, V> record);

  /** Returns when the records that were sent, and these offsets, are safe. */
  void commit(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group);

  void abort();

  /** Sends all or nothing. */
  final class Transaction<K, V> implements Output<K, V> {

    private final Producer<K, V> producer;

    Transaction(Producer<K, V> producer) {
      this.producer = producer;
    }

    @Override
    public void begin() {
      producer.beginTransaction();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The commit fails if this does.
    public void send(ProducerRecord<K, V> record) {
      producer.send(record);
    }

    @Override
    public void commit(
        Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
      producer.sendOffsetsToTransaction(offsets, group);
      producer.commitTransaction();
    }

    @Override
    public void abort() {
      producer.abortTransaction();
    }
  }

  /** Sends all; a part may have been sent before that. */
  final class Acknowledged<K, V> implements Output<K, V> {

    private final Consumer<K, V> consumer;
    private final Producer<K, V> producer;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();

    Acknowledged(Consumer<K, V> consumer, Producer<K, V> producer) {
      this.consumer = consumer;
      this.producer = producer;
    }

    @Override
    public void begin() {
      sent.clear();
    }

    @Override
    public void send(ProducerRecord<K, V> record) {
      sent.add(producer.send(record));
    }

    @Override
    public void commit(
        Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
      producer.flush();
      sent.forEach(Acknowledged::requireAcknowledged);
      consumer.commitSync(offsets);
    }

    @Override
    public void abort() {
      sent.clear();
    }

    private static void requireAcknowledged(Future<RecordMetadata> future) {
      try {
        future.get();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof KafkaException cause
            ? cause
            : new KafkaException("A record could not be sent", e.getCause());
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
  }
}
