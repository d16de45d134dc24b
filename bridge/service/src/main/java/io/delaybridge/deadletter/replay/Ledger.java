package io.delaybridge.deadletter.replay;

import io.delaybridge.deadletter.index.MarkStore;
import io.delaybridge.deadletter.letters.IndexUnavailableException;
import io.delaybridge.deadletter.marks.MarkCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes replays and marks, on one instance at a time and always with full knowledge of the marks.
 *
 * <p>All instances have one transactional id. An instance that begins a producer with it ends what
 * the previous producer left open and shuts it out. Then it writes a barrier and waits until the
 * index has read it. From then on it knows every mark: nobody else can write one without shutting
 * it out, and then its next transaction fails and it begins again. So two instances never replay
 * the same dead letter, and a crash never leaves a replay without its mark.
 */
public final class Ledger {

  private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
  private static final int ATTEMPTS = 4;
  private static final Duration CLOSE = Duration.ofSeconds(1);
  private static final List<Class<? extends Exception>> FAULTS_OF_A_RECORD =
      List.of(
          RecordTooLargeException.class,
          RecordBatchTooLargeException.class,
          InvalidRecordException.class,
          InvalidTopicException.class,
          UnknownTopicOrPartitionException.class,
          TopicAuthorizationException.class);

  private final Supplier<Producer<byte[], byte[]>> factory;
  private final Supplier<MarkStore> marks;
  private final MarkCodec codec;
  private final Duration catchUp;
  private final ReentrantLock lock = new ReentrantLock(true);
  // Volatile, because close() does not wait for ever for the lock.
  private volatile @Nullable Producer<byte[], byte[]> owned;
  private volatile boolean closed;
  // Written only with the lock; waiting until it is visible needs none.
  private volatile long written;

  /**
   * @param factory makes producers that all have the same transactional id
   * @param marks the marks as the index has them now
   * @param catchUp how long to wait for the index to read what was written, and for the lock
   */
  public Ledger(
      Supplier<Producer<byte[], byte[]>> factory,
      Supplier<MarkStore> marks,
      MarkCodec codec,
      Duration catchUp) {
    this.factory = factory;
    this.marks = marks;
    this.codec = codec;
    this.catchUp = catchUp;
  }

  /**
   * Work that is done while nobody else can write. Runs again from its beginning if it was shut
   * out.
   */
  @FunctionalInterface
  interface Work<T> {
    T with(MarkStore marks, Transaction transaction);
  }

  /** One step of the work: all of it or nothing. */
  @FunctionalInterface
  interface Transaction {
    /**
     * Writes records, then the marks that are made from the places of the records.
     *
     * @throws RefusedException if Kafka will never take one of the records
     */
    void commit(
        List<ProducerRecord<byte[], byte[]>> records,
        Function<List<RecordMetadata>, List<ProducerRecord<byte[], byte[]>>> marksOf);
  }

  /** Kafka will never take one of the records; nothing was written. */
  static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RefusedException(Exception cause) {
      super(cause.getMessage(), cause);
    }
  }

  /**
   * Does the work while nobody else writes.
   *
   * @throws IndexUnavailableException if work that is before it does not end, the marks cannot be
   *     read up to their end, or Kafka does not take the transaction. Whether it took the last one
   *     is then not known, but the marks tell
   */
  <T> T run(Work<T> work) {
    lock();
    try {
      for (int attempt = 1; ; attempt++) {
        try {
          Producer<byte[], byte[]> producer = own();
          MarkStore known = caughtUp();
          return work.with(known, (records, marksOf) -> commit(producer, records, marksOf));
        } catch (InterruptException e) {
          discard();
          throw e;
        } catch (KafkaException e) {
          discard();
          if (attempt == ATTEMPTS) {
            throw new IndexUnavailableException("Kafka did not commit the transaction: " + e, e);
          }
          LOG.info("A transaction of the dead letters failed and is tried again: {}", e.toString());
        } catch (IllegalStateException e) {
          // The work or the producer is in a state that it cannot go on from.
          discard();
          if (closed) {
            throw new IndexUnavailableException("the bridge is stopping", e);
          }
          throw e;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the index shows what was written here last; returns at once if that is known. */
  void awaitVisible(Duration limit) throws InterruptedException {
    marks.get().awaitSeen(written, limit);
  }

  private void lock() {
    try {
      if (!lock.tryLock(catchUp.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IndexUnavailableException("another replay is still waiting for Kafka");
      }
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private Producer<byte[], byte[]> own() {
    Producer<byte[], byte[]> known = owned;
    if (closed) {
      throw new IndexUnavailableException("the bridge is stopping");
    }
    if (known != null) {
      return known;
    }
    Producer<byte[], byte[]> fresh = factory.get();
    owned = fresh;
    // The barrier comes after everything, even if the topic was created anew and counts from 0.
    written = -1;
    fresh.initTransactions();
    commit(fresh, List.of(), nothing -> List.of(codec.barrier()));
    return fresh;
  }

  private MarkStore caughtUp() {
    MarkStore known = marks.get();
    try {
      if (!known.awaitSeen(written, catchUp)) {
        // If the topic was created anew, only another barrier leads out of this.
        discard();
        throw new IndexUnavailableException("the index has not read the marks in time");
      }
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
    return known;
  }

  private void commit(
      Producer<byte[], byte[]> producer,
      List<ProducerRecord<byte[], byte[]>> records,
      Function<List<RecordMetadata>, List<ProducerRecord<byte[], byte[]>>> marksOf) {
    producer.beginTransaction();
    List<RecordMetadata> places = send(producer, records);
    List<RecordMetadata> marked = mark(producer, marksOf.apply(places));
    producer.commitTransaction();
    for (RecordMetadata mark : marked) {
      written = Math.max(written, mark.offset());
    }
  }

  /** A refused mark is no fault of the letter. */
  private List<RecordMetadata> mark(
      Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> marks) {
    try {
      return send(producer, marks);
    } catch (RefusedException e) {
      throw new IndexUnavailableException("the marks topic refuses a record: " + e.getMessage(), e);
    }
  }

  private List<RecordMetadata> send(
      Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records) {
    List<Future<RecordMetadata>> sent = new ArrayList<>(records.size());
    for (ProducerRecord<byte[], byte[]> record : records) {
      mustHavePartition(producer, record);
      sent.add(sent(producer, record));
    }
    producer.flush();
    List<RecordMetadata> places = new ArrayList<>(records.size());
    for (Future<RecordMetadata> future : sent) {
      try {
        places.add(future.get());
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      } catch (ExecutionException e) {
        Exception cause = e.getCause() instanceof Exception failure ? failure : e;
        if (FAULTS_OF_A_RECORD.stream().anyMatch(type -> type.isInstance(cause))) {
          // The next producer with this id ends the transaction.
          discard();
          throw new RefusedException(cause);
        }
        throw cause instanceof KafkaException known ? known : new KafkaException(cause);
      }
    }
    return places;
  }

  /**
   * After one record has failed, the producer throws for each that follows. The first tells why.
   */
  private static Future<RecordMetadata> sent(
      Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    try {
      return producer.send(record);
    } catch (KafkaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** A send would wait for a partition that is not there, as if Kafka were away. */
  private void mustHavePartition(
      Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    Integer partition = record.partition();
    int partitions = partition == null ? 0 : producer.partitionsFor(record.topic()).size();
    if (partition != null && partitions > 0 && partition >= partitions) {
      discard();
      throw new RefusedException(
          new InvalidPartitionsException(
              "topic %s has %d partitions and no partition %d"
                  .formatted(record.topic(), partitions, partition)));
    }
  }

  private void discard() {
    Producer<byte[], byte[]> old = owned;
    owned = null;
    if (old != null) {
      try {
        old.close(Duration.ZERO);
      } catch (KafkaException e) {
        LOG.debug("A producer did not close cleanly", e);
      }
    }
  }

  /** Gives up the transactional id. A transaction that runs has a moment to end. */
  public void close() throws InterruptedException {
    closed = true;
    boolean free = lock.tryLock(CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    try {
      Producer<byte[], byte[]> old = owned;
      owned = null;
      if (old != null) {
        old.close(free ? CLOSE : Duration.ZERO);
      }
    } finally {
      if (free) {
        lock.unlock();
      }
    }
  }
}
