package io.delaybridge.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TransactionAbortedException;

/** The sends of one turn and what became of each. */
final class Sends {

  private final List<Future<RecordMetadata>> futures = new ArrayList<>();

  void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    futures.add(producer.send(record));
  }

  /** Where the records are; only after all of them went through. */
  List<RecordMetadata> written() {
    List<RecordMetadata> written = new ArrayList<>(futures.size());
    for (Future<RecordMetadata> future : futures) {
      try {
        written.add(future.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("a record failed that was reported as written", e);
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
    return written;
  }

  /**
   * The records that failed for a reason of their own, by index; those that only shared the fate of
   * the transaction are not among them. Sends that are not done yet are left out.
   */
  Map<Integer, Exception> ownFailures() {
    Map<Integer, Exception> own = new HashMap<>(failures());
    own.values()
        .removeIf(
            failure ->
                !(failure instanceof ApiException)
                    || failure instanceof TransactionAbortedException);
    return own;
  }

  /** True if Kafka has accepted at least one record. */
  boolean anyWritten() {
    long done = futures.stream().filter(Future::isDone).count();
    return done > failures().size();
  }

  /** The records that are not known to be written, by index, those not done yet left out. */
  Map<Integer, Exception> failures() {
    Map<Integer, Exception> failures = new HashMap<>();
    for (int i = 0; i < futures.size(); i++) {
      if (futures.get(i).isDone()) {
        try {
          futures.get(i).get();
        } catch (ExecutionException e) {
          failures.put(i, e.getCause() instanceof Exception cause ? cause : e);
        } catch (InterruptedException e) {
          throw new InterruptException(e);
        }
      }
    }
    return failures;
  }
}
