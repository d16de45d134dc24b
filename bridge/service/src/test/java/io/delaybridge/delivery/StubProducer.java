package io.delaybridge.delivery;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A producer that fails single records, by topic, at the flush, as a broker would. The records
 * before a failed one succeed; those after it share the fate of the transaction.
 */
final class StubProducer extends MockProducer<byte[], byte[]> {

  private final Map<String, RuntimeException> refused = new HashMap<>();
  private final Queue<String> inFlight = new ArrayDeque<>();
  private final Set<String> missing = new HashSet<>();
  private final Set<String> silent = new HashSet<>();
  private int waits;
  private boolean transactional;
  private int slowCommits;
  private boolean failed;
  private boolean inError;

  StubProducer() {
    super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  }

  StubProducer refusing(String topic, RuntimeException cause) {
    refused.put(topic, cause);
    return this;
  }

  /**
   * A topic that does not answer before the transaction is aborted, and neither do records sent
   * after it.
   */
  StubProducer silent(String topic) {
    silent.add(topic);
    return this;
  }

  /** An unknown topic: a send waits for it in vain. */
  StubProducer missing(String topic) {
    missing.add(topic);
    return this;
  }

  /** Returns the number of sends that waited for an unknown topic. */
  int waits() {
    return waits;
  }

  /** Makes the next commit time out this many times; until then no record is answered. */
  StubProducer slowToCommit(int times) {
    slowCommits = times;
    return this;
  }

  @Override
  public void initTransactions() {
    transactional = true;
    super.initTransactions();
  }

  @Override
  public synchronized Future<RecordMetadata> send(
      ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
    if (inError) {
      throw new KafkaException("a record failed before, the transaction must be aborted");
    }
    if (missing.contains(record.topic())) {
      waits++;
      TimeoutException waited = new TimeoutException("nobody knows " + record.topic());
      if (callback != null) {
        callback.onCompletion(null, waited);
      }
      return CompletableFuture.failedFuture(waited);
    }
    Future<RecordMetadata> sent = super.send(record, callback);
    inFlight.add(record.topic());
    return sent;
  }

  /** Answers the records in flight, as the network would between two calls. */
  void answer() {
    while (!inFlight.isEmpty() && !silent.contains(inFlight.peek())) {
      answer(inFlight.remove());
    }
    inError = transactional && failed;
  }

  private void answer(String topic) {
    RuntimeException cause = refused.get(topic);
    if (cause == null && transactional && failed) {
      cause = new TransactionAbortedException();
    }
    failed |= cause != null;
    if (cause == null) {
      completeNext();
    } else {
      errorNext(cause);
    }
  }

  @Override
  public synchronized void flush() {
    RuntimeException fault = flushException;
    if (fault != null) {
      throw fault;
    }
    answer();
  }

  @Override
  public void commitTransaction() {
    if (slowCommits-- > 0) {
      throw new TimeoutException("the commit takes its time");
    }
    answer();
    if (failed) {
      throw new KafkaException("the transaction cannot be committed");
    }
    super.commitTransaction();
  }

  @Override
  public void abortTransaction() {
    silent.clear();
    answer();
    super.abortTransaction();
    failed = false;
    inError = false;
  }
}
