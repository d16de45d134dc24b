package io.delaybridge.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;

/**
 * Polls and calls a handler for each record. Sends what the handler returns, and what {@link
 * RetryLater} makes of records that it failed on; then commits the offsets. For one thread. The
 * caller creates, subscribes and closes the consumer and the producer.
 *
 * <p>The loop logs nothing itself: a {@link Listener} is told why a handler failed.
 *
 * <p>The consumer must not commit by itself ({@code enable.auto.commit=false}). It should read
 * {@code read_committed}, as any reader of a target. It must handle {@code max.poll.records} within
 * {@code max.poll.interval.ms}.
 */
public final class RetryLoop<K, V> {

  private final Consumer<K, V> consumer;
  private final Output<K, V> output;
  private final RetryLater later;
  private final Handler<K, V> handler;
  private final Listener<K, V> listener;
  private volatile boolean stopping;

  /** Handles records. */
  @FunctionalInterface
  public interface Handler<K, V> {

    /**
     * Handles one record.
     *
     * @return the records to send because of it; empty for none. The handler does not send them
     *     itself, so that nothing is half done when it fails
     * @throws Exception if it failed; {@link RetryLater} decides what happens to the record. An
     *     interrupt is not a failure of the record: it ends the loop
     */
    Collection<ProducerRecord<K, V>> handle(ConsumerRecord<K, V> record) throws Exception;
  }

  /**
   * Is told what the loop does not throw, for logs and metrics. Called on the thread of the loop.
   */
  public interface Listener<K, V> {

    /**
     * The handler failed on a record. This may be called again for the same record if the turn is
     * undone.
     *
     * @param verdict what happens to the record when the turn is committed
     */
    default void failed(ConsumerRecord<K, V> record, Exception failure, Verdict<K, V> verdict) {}

    /**
     * The group did not let a turn commit, so the results of its records are undone. The group has
     * rebalanced, or the turn took longer than {@code max.poll.interval.ms}. If this continues,
     * lower {@code max.poll.records}.
     *
     * @param records number of records
     */
    default void undone(int records, Exception cause) {}
  }

  private RetryLoop(
      Consumer<K, V> consumer,
      Output<K, V> output,
      RetryLater later,
      Handler<K, V> handler,
      Listener<K, V> listener) {
    this.consumer = consumer;
    this.output = output;
    this.later = later;
    this.handler = handler;
    this.listener = listener;
  }

  /**
   * Exactly once: one transaction contains the records of a poll, everything sent because of them,
   * including retries and dead letters, and the offsets.
   *
   * @param producer with a {@code transactional.id}, and {@code initTransactions()} called
   */
  public static <K, V> RetryLoop<K, V> exactlyOnce(
      Consumer<K, V> consumer, Producer<K, V> producer, RetryLater later, Handler<K, V> handler) {
    return new RetryLoop<>(
        consumer, new Output.Transaction<>(producer), later, handler, new Listener<>() {});
  }

  /**
   * At least once: the loop commits the offsets when everything that it sent is acknowledged. If
   * the process dies, records in progress are handled and sent again.
   *
   * @param producer without a {@code transactional.id}
   */
  public static <K, V> RetryLoop<K, V> atLeastOnce(
      Consumer<K, V> consumer, Producer<K, V> producer, RetryLater later, Handler<K, V> handler) {
    return new RetryLoop<>(
        consumer,
        new Output.Acknowledged<>(consumer, producer),
        later,
        handler,
        new Listener<>() {});
  }

  /**
   * Returns the same loop with this listener, to be run instead of this one. An exception of the
   * listener ends the turn, as one of Kafka does.
   */
  public RetryLoop<K, V> listener(Listener<K, V> told) {
    return new RetryLoop<>(consumer, output, later, handler, told);
  }

  /**
   * Runs turns until {@link #stop}, or until something other than the handler fails.
   *
   * @param poll how long one poll waits for records, and so how long {@link #stop} may take
   */
  public void run(Duration poll) {
    while (!stopping) {
      turn(poll);
    }
  }

  /** Makes {@link #run} return after its current turn. Can be called from any thread. Permanent. */
  public void stop() {
    stopping = true;
  }

  /**
   * Runs one poll and everything that follows from it. If this throws, nothing of it has happened
   * (at least once: nothing is committed), and the next turn begins with the same records. The same
   * holds, without an exception, if the group has given the partitions to another member meanwhile.
   *
   * <p>If the turn could not be undone, the exception has a suppressed one that says why. Most
   * often the commit has timed out, and its outcome is unknown. Then close consumer and producer
   * and begin with new ones: the committed offsets show the outcome.
   *
   * <p>An exception of the handler, or a null that it returns, counts as a failure of the record.
   * An {@code Error} does not, and ends this turn. If a record causes one each time, the handler
   * must catch it. A record that the producer cannot serialize, or that Kafka refuses, is no such
   * failure either. It ends this turn, and each later turn that begins with the same records.
   *
   * @param poll how long to wait for records
   * @return how many records were settled
   * @throws org.apache.kafka.common.KafkaException if Kafka did not accept the records or the
   *     offsets. After a fatal one ({@code ProducerFencedException} and the like) only a new
   *     producer helps
   * @throws InterruptException if the thread was interrupted; its interrupt flag stays set
   */
  public int turn(Duration poll) {
    ConsumerRecords<K, V> records = consumer.poll(poll);
    if (records.isEmpty()) {
      return 0;
    }
    // As of this poll: with newer metadata, a member could commit what it has lost since.
    ConsumerGroupMetadata group = consumer.groupMetadata();
    Map<TopicPartition, OffsetAndMetadata> ends = ends(records);
    List<ProducerRecord<K, V>> sent = work(records, ends);
    try {
      output.begin();
      sent.forEach(output::send);
      output.commit(ends, group);
      return records.count();
    } catch (CommitFailedException | RebalanceInProgressException e) {
      if (!undo(records, ends, output::abort, e)) {
        throw e;
      }
      listener.undone(records.count(), e);
      return 0;
    } catch (RuntimeException | Error e) {
      undo(records, ends, output::abort, e);
      throw e;
    }
  }

  /**
   * Runs before a transaction begins: while one is open, no reader of committed records gets past a
   * retry in the intake.
   */
  private List<ProducerRecord<K, V>> work(
      ConsumerRecords<K, V> records, Map<TopicPartition, OffsetAndMetadata> ends) {
    List<ProducerRecord<K, V>> results = new ArrayList<>();
    try {
      for (ConsumerRecord<K, V> record : records) {
        results.addAll(work(record));
      }
      return results;
    } catch (RuntimeException | Error e) {
      undo(records, ends, () -> {}, e);
      throw e;
    }
  }

  private Collection<ProducerRecord<K, V>> work(ConsumerRecord<K, V> record) {
    try {
      return Objects.requireNonNull(handler.handle(record), "the handler returned null");
    } catch (InterruptedException e) {
      // The constructor sets the interrupt flag of the thread again.
      throw new InterruptException(e);
    } catch (InterruptException e) {
      throw e;
    } catch (Exception e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptException("interrupted in the handler", interrupted(e));
      }
      Verdict<K, V> verdict = later.verdict(record, e);
      listener.failed(record, e, verdict);
      return List.of(verdict.record());
    }
  }

  /** Interrupted code often throws something else and leaves the thread interrupted. */
  private static InterruptedException interrupted(Exception cause) {
    InterruptedException interrupted = new InterruptedException();
    interrupted.initCause(cause);
    return interrupted;
  }

  /**
   * Goes back to where this turn began, whether or not the abort works: nothing beyond it may be
   * committed. The interrupt flag is cleared meanwhile, because neither step would finish with it.
   *
   * @return false if a step failed; its exception is then a suppressed one of {@code why}
   */
  private boolean undo(
      ConsumerRecords<K, V> records,
      Map<TopicPartition, OffsetAndMetadata> ends,
      Runnable abort,
      Throwable why) {
    boolean interrupted = Thread.interrupted();
    boolean back = tried(() -> goBack(records, ends), why);
    boolean aborted = tried(abort, why);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return back && aborted;
  }

  private void goBack(ConsumerRecords<K, V> records, Map<TopicPartition, OffsetAndMetadata> ends) {
    for (TopicPartition partition : records.partitions()) {
      try {
        OffsetAndMetadata end = ends.get(partition);
        // At another position it has come back from another member, which has gone further.
        if (end == null || consumer.position(partition) == end.offset()) {
          consumer.seek(partition, records.records(partition).get(0).offset());
        }
      } catch (IllegalStateException e) {
        // It is not assigned any more, so its new owner begins at what is committed.
      }
    }
  }

  private static boolean tried(Runnable step, Throwable why) {
    try {
      step.run();
      return true;
    } catch (RuntimeException e) {
      why.addSuppressed(e);
      return false;
    }
  }

  /** Is called right after the poll: partitions can be taken away while the handler works. */
  private Map<TopicPartition, OffsetAndMetadata> ends(ConsumerRecords<K, V> records) {
    Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
    try {
      for (TopicPartition partition : records.partitions()) {
        List<ConsumerRecord<K, V>> of = records.records(partition);
        ConsumerRecord<K, V> last = of.get(of.size() - 1);
        OffsetAndMetadata end =
            new OffsetAndMetadata(end(partition, last.offset()), last.leaderEpoch(), "");
        ends.put(partition, end);
      }
      return ends;
    } catch (RuntimeException e) {
      undo(records, Map.of(), () -> {}, e);
      throw e;
    }
  }

  /** Includes the transaction marker behind the last record. Otherwise the lag would stay at 1. */
  private long end(TopicPartition partition, long last) {
    try {
      return consumer.position(partition);
    } catch (IllegalStateException e) {
      return last + 1; // It is not assigned any more.
    }
  }
}
