package io.delaybridge.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers at least once: flushes the records, checks every one, and commits the checkpoints on
 * their own, later. Records that went out after the last checkpoint may go out again after a crash.
 */
public final class FlushingDelivery implements Delivery {

  private static final Logger LOG = LoggerFactory.getLogger(FlushingDelivery.class);
  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  private final Function<Packing, Producer<byte[], byte[]>> factory;
  private final Consumer<byte[], byte[]> consumer;
  // Volatile: if the thread of a loop is stuck, another thread closes the loop.
  private volatile @Nullable Producer<byte[], byte[]> producer;
  private Packing packing = Packing.PLAIN;
  private volatile boolean closed;

  /**
   * @param factory makes an idempotent producer with the given packing
   * @param consumer of the same loop, which commits the checkpoints
   */
  public FlushingDelivery(
      Function<Packing, Producer<byte[], byte[]>> factory, Consumer<byte[], byte[]> consumer) {
    this.factory = factory;
    this.consumer = consumer;
  }

  @Override
  public boolean isTransactional() {
    return false;
  }

  @Override
  public Outcome deliver(
      List<ProducerRecord<byte[], byte[]>> records,
      Packing wanted,
      Map<TopicPartition, OffsetAndMetadata> checkpoints,
      ConsumerGroupMetadata group) {
    Sends sends = new Sends();
    try {
      Producer<byte[], byte[]> open = open(wanted);
      for (ProducerRecord<byte[], byte[]> record : records) {
        sends.send(open, record);
      }
      open.flush();
    } catch (InterruptException | ConfigException e) {
      // Another try would not help.
      throw e;
    } catch (KafkaException | IllegalStateException e) {
      discard();
      // Which records are out is not known and need not be: none is settled, all are sent again. So
      // no two of them may be of one message (see TwoFlushes).
      return new Outcome.NotOut(e);
    }
    Map<Integer, Exception> failures = sends.failures();
    if (failures.isEmpty()) {
      return new Outcome.Done(sends.written());
    }
    if (sends.anyTimedOut() && !sends.anyWritten()) {
      // It may never send anything: if its first connection cannot authenticate, the client does
      // not ask for a producer id again.
      discard();
    }
    return new Outcome.Refused(
        sends.accused(Set.of()), failures.keySet(), stillAnswers(sends.anyPlace()));
  }

  /**
   * Asks the broker that has accepted a record. It may have done so just before Kafka was out of
   * reach, and then the records that failed are not at fault.
   */
  private boolean stillAnswers(@Nullable TopicPartition accepted) {
    if (accepted == null) {
      return false;
    }
    try {
      consumer.beginningOffsets(Set.of(accepted), ANSWER_TIMEOUT);
      return true;
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      LOG.info(
          "Kafka accepted a record of the turn, but {} no longer answers: {}",
          accepted,
          e.toString());
      return false;
    }
  }

  @Override
  public Outcome commit(
      Map<TopicPartition, OffsetAndMetadata> checkpoints, ConsumerGroupMetadata group) {
    try {
      consumer.commitSync(checkpoints, COMMIT_TIMEOUT);
      return new Outcome.Done(List.of());
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      return new Outcome.NotOut(e);
    }
  }

  @Override
  public void prepare() {
    open(packing);
  }

  private Producer<byte[], byte[]> open(Packing wanted) {
    if (closed) {
      throw new IllegalStateException("this delivery is closed");
    }
    if (packing != wanted) {
      discard();
      packing = wanted;
    }
    Producer<byte[], byte[]> open = producer;
    if (open == null) {
      open = factory.apply(wanted);
      producer = open;
    }
    return open;
  }

  private void discard() {
    Producer<byte[], byte[]> open = producer;
    if (open != null) {
      open.close(Duration.ofSeconds(2));
      producer = null;
    }
  }

  @Override
  public void close() {
    closed = true;
    discard();
  }
}
