package io.delaybridge.intake;

import io.delaybridge.message.Reading;
import io.delaybridge.message.Request;
import io.delaybridge.message.Source;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Writes to intakes for callers that do not speak Kafka. Safe for use by many threads; its
 * producers are made when they are needed.
 */
public final class IntakeWriter implements AutoCloseable {

  /** Thrown when Kafka did not accept a record, or when it is not known whether it did. */
  public static final class NotWrittenException extends Exception {

    /** Why the record was not written. Only with {@code UNKNOWN} may it be there after all. */
    public enum Why {
      TOO_LARGE,
      REFUSED,
      UNKNOWN
    }

    private static final long serialVersionUID = 1;

    NotWrittenException(Throwable cause) {
      super(String.valueOf(cause.getMessage()), cause);
    }

    /** Returns what is known about the failure. */
    public Why why() {
      return why(getCause());
    }

    private static Why why(@Nullable Throwable cause) {
      if (cause instanceof RecordTooLargeException) {
        return Why.TOO_LARGE;
      }
      return cause instanceof AuthorizationException
              || cause instanceof InvalidTopicException
              || cause instanceof InvalidRecordException
          ? Why.REFUSED
          : Why.UNKNOWN;
    }
  }

  /**
   * A record that Kafka has acknowledged.
   *
   * @param request how the bridge will read the record
   */
  public record Written(Source source, Request request) {}

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final Kept plain;
  private final Kept compressing;
  private final InstantSource clock;
  private final long timeoutMillis;

  /**
   * @param plain makes a producer that waits for all replicas
   * @param compressing makes one that also compresses, for records that are too large otherwise
   * @param clock gives the records their timestamps, from which delays are counted
   * @param timeoutMillis how long to wait for the acknowledgement
   */
  public IntakeWriter(
      Supplier<Producer<byte[], byte[]>> plain,
      Supplier<Producer<byte[], byte[]>> compressing,
      InstantSource clock,
      long timeoutMillis) {
    this.plain = new Kept(plain);
    this.compressing = new Kept(compressing);
    this.clock = clock;
    this.timeoutMillis = timeoutMillis;
  }

  /** Returns how the bridge would read the record if it were written now. */
  public Request preview(Letter letter, Reading reading) {
    return RequestParser.near(consumed(letter, clock.millis(), 0, 0), reading);
  }

  /** Hands the record to the producer; the future fails if Kafka does not accept it. */
  public Future<RecordMetadata> send(Letter letter) {
    return send(letter, plain);
  }

  private Future<RecordMetadata> send(Letter letter, Kept kafka) {
    return kafka.send(
        new ProducerRecord<>(
            letter.topic(),
            letter.partition(),
            clock.millis(),
            letter.key(),
            letter.value(),
            headers(letter)));
  }

  /** A producer that is made when it is needed, and made anew if it may never write again. */
  private static final class Kept {

    private final Supplier<Producer<byte[], byte[]>> makes;
    private @Nullable Producer<byte[], byte[]> producer;
    private boolean hasWritten;

    Kept(Supplier<Producer<byte[], byte[]>> makes) {
      this.makes = makes;
    }

    Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      Producer<byte[], byte[]> kafka = producer();
      try {
        return kafka.send(record, (written, failure) -> tell(kafka, failure));
      } catch (KafkaException e) {
        tell(kafka, e);
        throw e;
      }
    }

    private synchronized Producer<byte[], byte[]> producer() {
      if (producer == null) {
        producer = makes.get();
        hasWritten = false;
      }
      return producer;
    }

    /**
     * A time-out of a producer that has written before is that of Kafka, or of one partition. One
     * that has not may have failed to authenticate: then it never asks for its id again. And what
     * is not about a record may be the end of its state.
     */
    private synchronized void tell(Producer<byte[], byte[]> kafka, @Nullable Exception failure) {
      if (kafka != producer) {
        return;
      }
      if (failure == null) {
        hasWritten = true;
      } else if (NotWrittenException.why(failure) == NotWrittenException.Why.UNKNOWN
          && !(hasWritten && failure instanceof org.apache.kafka.common.errors.TimeoutException)) {
        close(Duration.ZERO);
      }
    }

    synchronized void close(Duration timeout) {
      if (producer != null) {
        producer.close(timeout);
        producer = null;
      }
    }
  }

  /** A record that the producer has, and Kafka perhaps. */
  public interface Sent {

    /** Waits for the acknowledgement. */
    Written await() throws NotWrittenException, InterruptedException;
  }

  /** Begins to write the record; waiting for it is up to the caller. Several can be under way. */
  public Sent begin(Letter letter, Reading reading) {
    try {
      Future<RecordMetadata> sent = send(letter);
      return () -> written(letter, sent, reading);
    } catch (KafkaException e) {
      return () -> {
        throw new NotWrittenException(e);
      };
    }
  }

  private Written written(Letter letter, Future<RecordMetadata> sent, Reading reading)
      throws NotWrittenException, InterruptedException {
    try {
      RecordMetadata written = writtenAsItIsOrCompressed(letter, sent);
      ConsumerRecord<byte[], byte[]> record =
          consumed(letter, written.timestamp(), written.partition(), written.offset());
      return new Written(
          new Source(letter.topic(), written.partition(), written.offset()),
          RequestParser.near(record, reading));
    } catch (ExecutionException e) {
      throw new NotWrittenException(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException | KafkaException e) {
      throw new NotWrittenException(e);
    }
  }

  private RecordMetadata writtenAsItIsOrCompressed(Letter letter, Future<RecordMetadata> sent)
      throws ExecutionException, InterruptedException, TimeoutException {
    try {
      return sent.get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof RecordTooLargeException)) {
        throw e;
      }
      return send(letter, compressing).get(timeoutMillis, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Returns the home of an id: the partition that Kafka's own partitioner chooses for a record that
   * has the id as its key, as those of the client library have.
   */
  public static int partitionOf(String id, int partitions) {
    return Utils.toPositive(Utils.murmur2(id.getBytes(StandardCharsets.UTF_8))) % partitions;
  }

  private static ConsumerRecord<byte[], byte[]> consumed(
      Letter letter, long timestamp, int partition, long offset) {
    return new ConsumerRecord<>(
        letter.topic(),
        partition,
        offset,
        timestamp,
        TimestampType.CREATE_TIME,
        0,
        0,
        letter.key(),
        letter.value(),
        headers(letter),
        java.util.Optional.empty());
  }

  private static RecordHeaders headers(Letter letter) {
    RecordHeaders headers = new RecordHeaders();
    letter.headers().forEach(each -> headers.add(each.name(), each.value()));
    return headers;
  }

  @Override
  public void close() {
    plain.close(CLOSE_TIMEOUT);
    compressing.close(CLOSE_TIMEOUT);
  }
}
