package io.delaybridge.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A producer whose network answers at random: at any moment of the sends, batch by batch, in any
 * order, and with the exceptions that Kafka's client shares between records. The outcome itself is
 * not random: a batch without a faulty record fails only with a transaction.
 */
final class ChanceProducer extends MockProducer<byte[], byte[]> {

  private final Random chance;
  private final Function<ProducerRecord<byte[], byte[]>, @Nullable RuntimeException> fault;
  private final List<List<Sent>> batches = new ArrayList<>();
  private boolean transactional;
  private @Nullable RuntimeException broken;

  private record Sent(
      ProducerRecord<byte[], byte[]> record,
      CompletableFuture<RecordMetadata> future,
      @Nullable Callback callback) {

    void written() {
      RecordMetadata at = new RecordMetadata(new TopicPartition(record.topic(), 0), 0, 0, 0, 0, 0);
      future.complete(at);
      called(at, null);
    }

    void failed(Exception why) {
      future.completeExceptionally(why);
      called(null, why);
    }

    private void called(@Nullable RecordMetadata at, @Nullable Exception why) {
      if (callback != null) {
        callback.onCompletion(at, why);
      }
    }
  }

  /**
   * @param fault the reason why the broker rejects a record, or null
   */
  ChanceProducer(
      Random chance, Function<ProducerRecord<byte[], byte[]>, @Nullable RuntimeException> fault) {
    super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    this.chance = chance;
    this.fault = fault;
  }

  private boolean oneIn(int n) {
    return chance.nextInt(n) == 0;
  }

  @Override
  public void initTransactions() {
    transactional = true;
  }

  @Override
  public void beginTransaction() {}

  @Override
  public synchronized Future<RecordMetadata> send(
      ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
    if (oneIn(4)) {
      answerOne();
    }
    if (broken != null && oneIn(2)) {
      throw new KafkaException("cannot send, since the transaction is in an error state", broken);
    }
    Sent sent = new Sent(record, new CompletableFuture<>(), callback);
    batchFor(record).add(sent);
    if (oneIn(8)) {
      answerOne();
    }
    return sent.future;
  }

  private List<Sent> batchFor(ProducerRecord<byte[], byte[]> record) {
    for (List<Sent> batch : batches) {
      if (batch.get(0).record.topic().equals(record.topic()) && !oneIn(6)) {
        return batch;
      }
    }
    List<Sent> anew = new ArrayList<>();
    batches.add(anew);
    return anew;
  }

  private void answerOne() {
    if (!batches.isEmpty()) {
      answer(batches.remove(chance.nextInt(batches.size())));
    }
  }

  private void answerAll() {
    while (!batches.isEmpty()) {
      answerOne();
    }
  }

  private void answer(List<Sent> batch) {
    RuntimeException before = broken;
    if (before != null && !oneIn(4)) {
      // The record was not on its way yet. It fails with the exception of the transaction or with
      // another one.
      RuntimeException why = oneIn(4) ? new TransactionAbortedException() : before;
      batch.forEach(sent -> sent.failed(why));
      return;
    }
    RuntimeException why = null;
    for (Sent sent : batch) {
      why = why == null ? fault.apply(sent.record) : why;
    }
    if (why == null) {
      batch.forEach(Sent::written);
      return;
    }
    boolean each =
        why instanceof RecordTooLargeException
            || (why instanceof InvalidRecordException && !oneIn(3));
    for (Sent sent : batch) {
      RuntimeException own = fault.apply(sent.record);
      if (!each) {
        sent.failed(why);
      } else if (own != null) {
        sent.failed(own);
      } else {
        sent.failed(new KafkaException("it was part of a batch with invalid records"));
      }
    }
    if (transactional && broken == null) {
      broken = each && oneIn(2) ? new InvalidRecordException("of the whole batch") : why;
    }
  }

  @Override
  public synchronized void flush() {
    answerAll();
  }

  @Override
  public void sendOffsetsToTransaction(
      Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
    while (oneIn(2) && !batches.isEmpty()) {
      answerOne();
    }
    throwIfBroken();
  }

  @Override
  public void commitTransaction() {
    answerAll();
    throwIfBroken();
  }

  private void throwIfBroken() {
    if (broken != null) {
      throw new KafkaException("the transaction is in an error state", broken);
    }
  }

  @Override
  public void abortTransaction() {
    broken = broken == null ? new TransactionAbortedException() : broken;
    answerAll();
    broken = null;
  }

  @Override
  public void close(Duration timeout) {
    broken = new KafkaException("the producer is closed");
    answerAll();
  }
}
