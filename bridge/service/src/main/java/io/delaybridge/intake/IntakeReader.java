package io.delaybridge.intake;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Request;
import io.delaybridge.message.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Reads single records of intakes, for callers that know only where a record is. What the record
 * asks for, above all its due time, is a function of the record. Safe for use by many threads,
 * which are served one at a time, unless one waits long: a partition without a leader holds up only
 * those who ask for it. The consumer is made with the first question.
 */
public final class IntakeReader implements AutoCloseable {

  /** Thrown when a record could not be read from Kafka. */
  public static final class NotReadException extends Exception {
    private static final long serialVersionUID = 1;

    NotReadException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private static final Duration POLL = Duration.ofMillis(200);
  private static final int SPOTS = 20;

  /** To the end of the topic. */
  private static final long END = Long.MAX_VALUE;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  /** After that, a question gets a consumer of its own, for itself alone. */
  private static final Duration LONGEST_QUEUE = Duration.ofSeconds(1);

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final LongSupplier nanos;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Consumer<byte[], byte[]> consumer;

  /**
   * @param consumers makes a consumer that has no group and reads committed records
   * @param patience how long to wait for a record that is there
   */
  public IntakeReader(
      Supplier<Consumer<byte[], byte[]>> consumers, LongSupplier nanos, Duration patience) {
    this.consumers = consumers;
    this.nanos = nanos;
    this.patience = patience;
  }

  /** Returns what the record at that place asks for; empty if there is none, or none any more. */
  public Optional<Request> read(Source source, Reading reading)
      throws NotReadException, InterruptedException {
    return record(source).map(record -> RequestParser.parse(record, reading));
  }

  /** Does the same, but a message that is due far ahead has the key that it has once it is near. */
  public Optional<Request> near(Source source, Reading reading)
      throws NotReadException, InterruptedException {
    return record(source).map(record -> RequestParser.near(record, reading));
  }

  /** Returns the message whose copy the later topic has at that place; empty if there is none. */
  public Optional<DelayedMessage> copy(Source source)
      throws NotReadException, InterruptedException {
    return record(source).map(RequestParser::copy);
  }

  /** The timestamp of the record at that place, epoch milliseconds; empty if there is none. */
  public Optional<Long> timestamp(Source source) throws NotReadException, InterruptedException {
    return record(source).map(ConsumerRecord::timestamp);
  }

  /**
   * The timestamp of the first record from that place on, epoch milliseconds; empty if there is
   * none.
   */
  public Optional<Long> firstTimestamp(Source from) throws NotReadException, InterruptedException {
    return asked(from, kafka -> sample(kafka, from, END, 1, 1, ConsumerRecord::timestamp)).stream()
        .findFirst();
  }

  /**
   * Reads a sample of the copies that a later topic has from that place on: all of them, or about
   * {@code most} of them, from at most {@value #SPOTS} spots that are spread evenly over the rest
   * of the topic.
   *
   * @param read what is kept of each; not the whole message, which may be large
   */
  public <T> List<T> copies(Source from, int most, Function<DelayedMessage, T> read)
      throws NotReadException, InterruptedException {
    return asked(
        from,
        kafka ->
            sample(
                kafka, from, END, most, SPOTS, record -> read.apply(RequestParser.copy(record))));
  }

  /**
   * Whether the intake has a request like this between two places.
   *
   * @param end offset behind the last one
   * @param reading by offset
   */
  public boolean hasAny(
      Source from, long end, LongFunction<Reading> reading, Predicate<Request> like)
      throws NotReadException, InterruptedException {
    return asked(
            from,
            kafka ->
                sample(
                    kafka,
                    from,
                    end,
                    Integer.MAX_VALUE,
                    1,
                    record ->
                        like.test(RequestParser.near(record, reading.apply(record.offset())))))
        .contains(true);
  }

  private Optional<ConsumerRecord<byte[], byte[]>> record(Source source)
      throws NotReadException, InterruptedException {
    return asked(source, kafka -> Optional.ofNullable(fetch(kafka, source)));
  }

  /** A question to Kafka. */
  private interface Question<T> {
    T answer(Consumer<byte[], byte[]> kafka) throws NotReadException;
  }

  private <T> T asked(Source source, Question<T> question)
      throws NotReadException, InterruptedException {
    boolean shared = lock.tryLock(LONGEST_QUEUE.toMillis(), TimeUnit.MILLISECONDS);
    try {
      if (shared) {
        return question.answer(consumer());
      }
      try (Consumer<byte[], byte[]> own = consumers.get()) {
        return question.answer(own);
      }
    } catch (InterruptException e) {
      Thread.interrupted();
      throw (InterruptedException) new InterruptedException().initCause(e);
    } catch (KafkaException e) {
      if (shared) {
        discard();
      }
      throw new NotReadException(source + " could not be read: " + e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      // Nobody knows what state it is in.
      if (shared) {
        discard();
      }
      throw e;
    } finally {
      if (shared) {
        lock.unlock();
      }
    }
  }

  private @Nullable ConsumerRecord<byte[], byte[]> fetch(
      Consumer<byte[], byte[]> kafka, Source source) throws NotReadException {
    TopicPartition partition = new TopicPartition(source.topic(), source.partition());
    kafka.assign(List.of(partition));
    if (source.offset() < kafka.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L)
        || source.offset() >= kafka.endOffsets(List.of(partition)).getOrDefault(partition, 0L)) {
      return null;
    }
    kafka.seek(partition, source.offset());
    long deadline = nanos.getAsLong() + patience.toNanos();
    while (kafka.position(partition) <= source.offset()) {
      try {
        for (ConsumerRecord<byte[], byte[]> record : kafka.poll(POLL)) {
          return record.offset() == source.offset() ? record : null;
        }
      } catch (OffsetOutOfRangeException e) {
        // Deleted since the reader asked where the topic begins.
        return null;
      }
      if (nanos.getAsLong() - deadline > 0) {
        throw new NotReadException(source + " could not be read in time", null);
      }
    }
    // The offset has a transaction marker, or a record of an aborted transaction.
    return null;
  }

  /**
   * @param to offset behind the last record to read; the rest of the topic at most
   * @param spots how many places to read from, if there are more than {@code most} records
   */
  private <T> List<T> sample(
      Consumer<byte[], byte[]> kafka,
      Source from,
      long to,
      int most,
      int spots,
      Function<ConsumerRecord<byte[], byte[]>, T> read)
      throws NotReadException {
    TopicPartition partition = new TopicPartition(from.topic(), from.partition());
    kafka.assign(List.of(partition));
    long start = kafka.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
    long begin = Math.max(from.offset(), start);
    long logEnd = kafka.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    long length = Math.min(to, logEnd) - begin;
    int places = length <= most ? 1 : Math.min(spots, most);
    long deadline = nanos.getAsLong() + patience.toNanos();
    List<T> records = new ArrayList<>();
    for (int i = 0; i < places && length > 0; i++) {
      long end = begin + length * (i + 1) / places;
      int enough = records.size() + most / places;
      kafka.seek(partition, begin + length * i / places);
      while (records.size() < enough && kafka.position(partition) < end) {
        if (nanos.getAsLong() - deadline > 0) {
          throw new NotReadException(from + " could not be read in time", null);
        }
        kafka.poll(POLL).records(partition).stream()
            .filter(record -> record.offset() < end)
            .limit(enough - records.size())
            .map(read)
            .forEach(records::add);
      }
    }
    return records;
  }

  private Consumer<byte[], byte[]> consumer() {
    Consumer<byte[], byte[]> open = consumer;
    if (open == null) {
      open = consumers.get();
      consumer = open;
    }
    return open;
  }

  /** Closes the consumer; only for the holder of the lock. */
  private void discard() {
    Consumer<byte[], byte[]> open = consumer;
    // Even if it does not close well: the next question gets a new one.
    consumer = null;
    if (open != null) {
      open.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
  }

  /** Closes the consumer, unless a question does not end: it ends with the process then. */
  @Override
  public void close() {
    boolean free = false;
    try {
      free = lock.tryLock(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      if (free) {
        discard();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (free) {
        lock.unlock();
      }
    }
  }
}
