package io.delaybridge.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers exactly once: publishes the records of a turn and the checkpoints of its shards in one
 * Kafka transaction.
 *
 * <p>A producer that cannot be brought back to a clean state is discarded. Its successor has the
 * same transactional id, so that starting it ends whatever the old one left open.
 *
 * <p>Kafka blocks an id until each partition of its last transaction has the end marker. A target
 * that accepts no records accepts no markers either, so it would hold up all others for as long as
 * it is down. In that case the successor has another id. Nothing depends on the old id: either its
 * transaction was aborted, or its checkpoint is read again, and that read waits for the end of the
 * transaction. See ADR 23.
 */
public final class TransactionalDelivery implements Delivery {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionalDelivery.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  /** Makes the producers. */
  public interface Producers {

    /** Makes a producer with this transactional id and this packing. */
    Producer<byte[], byte[]> make(String transactionalId, Packing packing);
  }

  private final TransactionalId id;
  private final Producers producers;
  // Volatile: if the thread of a loop is stuck, another thread closes the loop.
  private volatile @Nullable Producer<byte[], byte[]> producer;
  private Packing packing = Packing.PLAIN;
  private volatile boolean closed;

  /**
   * @param id of this place, whoever held the place before
   * @param producers makes a producer when one is needed
   */
  public TransactionalDelivery(TransactionalId id, Producers producers) {
    this.id = id;
    this.producers = producers;
  }

  @Override
  public boolean isTransactional() {
    return true;
  }

  @Override
  public Outcome deliver(
      List<ProducerRecord<byte[], byte[]>> records,
      Packing wanted,
      Map<TopicPartition, OffsetAndMetadata> checkpoints,
      ConsumerGroupMetadata group) {
    if (group.memberId().isEmpty()) {
      // The broker would not fence this: an empty member may commit for any partition.
      return new Outcome.NotOut(new IllegalStateException("not a member of the group"));
    }
    Sends sends = new Sends();
    boolean ending = false;
    try {
      Producer<byte[], byte[]> open = open(wanted);
      open.beginTransaction();
      for (ProducerRecord<byte[], byte[]> record : records) {
        sends.send(open, record);
      }
      open.sendOffsetsToTransaction(checkpoints, group);
      ending = true;
      end(open, sends);
      return new Outcome.Done(sends.written());
    } catch (InterruptException | ConfigException e) {
      // Another try would not help.
      throw e;
    } catch (KafkaException | IllegalStateException e) {
      return failed(e, sends, ending);
    }
  }

  @Override
  public Outcome commit(
      Map<TopicPartition, OffsetAndMetadata> checkpoints, ConsumerGroupMetadata group) {
    return deliver(List.of(), packing, checkpoints, group);
  }

  /**
   * Commits, and tries again after a time-out. The client does not ask Kafka to commit before every
   * record has its answer; once all have one, there is one more try.
   */
  private static void end(Producer<byte[], byte[]> producer, Sends sends) {
    boolean asked = false;
    while (true) {
      try {
        producer.commitTransaction();
        return;
      } catch (TimeoutException e) {
        if (asked) {
          throw e;
        }
        asked = sends.undone().isEmpty();
        LOG.warn("A commit timed out and is tried again: {}", e.getMessage());
      }
    }
  }

  /**
   * Returns the outcome after a failure. Only a commit that Kafka was asked for can have happened,
   * and the client asks only after every record went through.
   */
  private Outcome failed(RuntimeException cause, Sends sends, boolean ending) {
    if (ending && sends.failures().isEmpty()) {
      discard();
      prepare();
      return new Outcome.Unknown(cause);
    }
    boolean written = sends.anyWritten();
    Set<Integer> mute = sends.waitingWithOneThatTimedOut();
    boolean aborted = abort();
    Map<Integer, Exception> accused = sends.accused(mute);
    if (accused.isEmpty()) {
      if (!(cause instanceof CommitFailedException)) {
        // Neither a record is at fault nor the generation: start with a new producer.
        discard();
      }
      return new Outcome.NotOut(cause);
    }
    if (aborted && accused.values().stream().anyMatch(TimeoutException.class::isInstance)) {
      discard();
      id.leave();
    }
    Set<Integer> all =
        IntStream.range(0, sends.size()).boxed().collect(Collectors.toUnmodifiableSet());
    // Some may have been written just before Kafka was out of reach. Its answer to the abort tells.
    return new Outcome.Refused(accused, all, written && aborted);
  }

  /**
   * Starts a producer if possible. Its start ends what an old one left open; the checkpoint cannot
   * be read before that.
   */
  @Override
  public void prepare() {
    var unused = prepared();
  }

  /** Does the same as {@link #prepare}; returns true if the producer is ready. */
  boolean prepared() {
    try {
      open(packing);
      return true;
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException | IllegalStateException e) {
      LOG.info("The new producer is not ready yet, this is tried again: {}", e.toString());
      return false;
    }
  }

  /** Aborts the transaction; returns true if Kafka has confirmed that. */
  private boolean abort() {
    Producer<byte[], byte[]> open = producer;
    if (open == null) {
      return false;
    }
    try {
      open.abortTransaction();
      return true;
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException | IllegalStateException e) {
      LOG.info("A transaction could not be aborted, its producer is replaced: {}", e.toString());
      discard();
      return false;
    }
  }

  /** Another packing needs another producer; no producer has work in progress between two turns. */
  private Producer<byte[], byte[]> open(Packing wanted) {
    if (closed) {
      // A new producer would end what a successor has in progress.
      throw new IllegalStateException("this delivery is closed");
    }
    if (packing != wanted) {
      close(CLOSE_TIMEOUT);
      packing = wanted;
    }
    Producer<byte[], byte[]> open = producer;
    if (open == null) {
      open = producers.make(id.current(), wanted);
      try {
        open.initTransactions();
      } catch (RuntimeException e) {
        open.close(Duration.ZERO);
        if (e instanceof TimeoutException) {
          id.leave();
        }
        throw e;
      }
      producer = open;
    }
    return open;
  }

  private void discard() {
    close(Duration.ZERO);
  }

  private void close(Duration timeout) {
    Producer<byte[], byte[]> open = producer;
    if (open != null) {
      open.close(timeout);
      producer = null;
    }
  }

  /** Starts nothing from now on; may be called from any thread. */
  void refuse() {
    closed = true;
  }

  @Override
  public void close() {
    refuse();
    close(CLOSE_TIMEOUT);
  }
}
