package io.delaybridge.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The sends of one turn and the outcome of each.
 *
 * <p>When one record fails a transaction, the client fails the records that were not yet on their
 * way with the very same exception. So a failure is only a suspicion. It falls on a record whose
 * failure is one that a record can cause, and which failed first or with an exception that no other
 * record has. The caller must not give up a message for a suspicion, see {@link
 * Refusal#isEvidence}.
 *
 * <p>A time-out is reported for one record of each topic that did not answer, because the records
 * that still wait have waited as long as the first. If one topic were accused each turn, several
 * topics that are down would hold up all others one after another, each for a whole time-out.
 */
final class Sends {

  private static final List<Class<? extends Exception>> FAULTS_OF_A_RECORD =
      List.of(
          RecordTooLargeException.class,
          RecordBatchTooLargeException.class,
          InvalidRecordException.class,
          InvalidTimestampException.class,
          InvalidTopicException.class,
          UnknownTopicOrPartitionException.class,
          TopicAuthorizationException.class,
          TimeoutException.class);

  private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
  private final List<Future<RecordMetadata>> futures = new ArrayList<>();
  private final Queue<Integer> failedInOrder = new ConcurrentLinkedQueue<>();
  private boolean waited;

  /**
   * Sends a record. May wait for a topic that the producer does not know, but only once in a turn:
   * all records after that fail without a wait, and are not accused.
   */
  void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    int index = futures.size();
    records.add(record);
    if (waited) {
      failedInOrder.add(index);
      futures.add(
          CompletableFuture.failedFuture(
              new KafkaException("not sent, because the turn has waited for another topic")));
      return;
    }
    futures.add(
        producer.send(
            record,
            (metadata, failure) -> {
              if (failure != null) {
                failedInOrder.add(index);
              }
            }));
    waited = failure(index) instanceof TimeoutException;
  }

  int size() {
    return futures.size();
  }

  /** Returns where the records were written; only after all of them went through. */
  List<RecordMetadata> written() {
    List<RecordMetadata> written = new ArrayList<>(futures.size());
    futures.forEach(future -> written.add(place(future)));
    return written;
  }

  private static RecordMetadata place(Future<RecordMetadata> written) {
    try {
      return written.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a record failed that was reported as written", e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** Returns the indices of the records that have no answer yet. */
  Set<Integer> undone() {
    return IntStream.range(0, futures.size())
        .filter(index -> !isDone(index))
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns the indices of the records that have no answer yet although another one has timed out.
   */
  Set<Integer> waitingWithOneThatTimedOut() {
    return anyTimedOut() ? undone() : Set.of();
  }

  /** True if at least one record was not written in time. */
  boolean anyTimedOut() {
    return failures().values().stream().anyMatch(TimeoutException.class::isInstance);
  }

  /**
   * Returns the records that are at fault, by index, with their failures.
   *
   * @param mute indices of records that had waited without an answer as long as one that timed out;
   *     a failure that they got since is not their own
   */
  Map<Integer, Exception> accused(Set<Integer> mute) {
    Map<Integer, Exception> failures = failures();
    IdentityHashMap<Exception, Integer> sharers = new IdentityHashMap<>();
    failures.values().forEach(failure -> sharers.merge(failure, 1, Integer::sum));
    Map<Integer, Exception> accused = new HashMap<>();
    Set<String> unauthorized = new TreeSet<>();
    for (int index : failedInOrder) {
      Exception failure = failures.get(index);
      if (failure != null && isFaultOfRecord(failure)) {
        boolean own =
            failure instanceof InvalidRecordException && sharers.getOrDefault(failure, 0) == 1;
        if (accused.isEmpty() || own) {
          accused.put(index, failure);
        }
        if (failure instanceof TopicAuthorizationException refused) {
          unauthorized.addAll(refused.unauthorizedTopics());
        }
      }
    }
    failures.forEach(
        (index, failure) -> {
          if (unauthorized.contains(records.get(index).topic())
              && failure instanceof TopicAuthorizationException) {
            accused.put(index, failure);
          }
        });
    accused.putAll(timedOut(failures, mute));
    return accused;
  }

  /** One record of each topic that did not answer in time. */
  private Map<Integer, Exception> timedOut(Map<Integer, Exception> failures, Set<Integer> mute) {
    List<Integer> late = new ArrayList<>();
    failedInOrder.stream()
        .filter(index -> failures.get(index) instanceof TimeoutException)
        .forEach(late::add);
    if (late.isEmpty()) {
      return Map.of();
    }
    Exception first = failures.get(late.get(0));
    new TreeSet<>(mute)
        .stream().filter(index -> failures.containsKey(index) || !isDone(index)).forEach(late::add);
    Map<Integer, Exception> accused = new HashMap<>();
    Set<String> topics = new HashSet<>();
    for (int index : late) {
      if (topics.add(records.get(index).topic())) {
        Exception own = failures.get(index);
        accused.put(index, own instanceof TimeoutException ? own : first);
      }
    }
    return accused;
  }

  private static boolean isFaultOfRecord(Exception failure) {
    return FAULTS_OF_A_RECORD.stream().anyMatch(type -> type.isInstance(failure));
  }

  /** True if Kafka has accepted at least one record. */
  boolean anyWritten() {
    return anyPlace() != null;
  }

  /** Returns a partition in which Kafka has accepted a record, or null. */
  @Nullable TopicPartition anyPlace() {
    for (int i = 0; i < futures.size(); i++) {
      if (isDone(i) && failure(i) == null) {
        RecordMetadata place = place(futures.get(i));
        return new TopicPartition(place.topic(), place.partition());
      }
    }
    return null;
  }

  /**
   * Returns the failures of the records that were not written, by index; leaves out records that
   * are not done yet.
   */
  Map<Integer, Exception> failures() {
    Map<Integer, Exception> failures = new HashMap<>();
    for (int i = 0; i < futures.size(); i++) {
      Exception failure = failure(i);
      if (failure != null) {
        failures.put(i, failure);
      }
    }
    return failures;
  }

  private boolean isDone(int index) {
    return futures.get(index).isDone();
  }

  /** Returns why the record failed; null if it was written or is not done yet. */
  private @Nullable Exception failure(int index) {
    if (isDone(index)) {
      try {
        futures.get(index).get();
      } catch (ExecutionException e) {
        return e.getCause() instanceof Exception cause ? asTimeout(cause) : e;
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
    return null;
  }

  /** Turns a retriable failure into a time-out: the client has retried it for as long as it may. */
  private static Exception asTimeout(Exception failure) {
    return failure instanceof RetriableException
            && !(failure instanceof TimeoutException)
            && !(failure instanceof UnknownTopicOrPartitionException)
        ? new TimeoutException("not written in time, last error: " + failure.getMessage(), failure)
        : failure;
  }
}
