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
 * Polls, lets a handler work on each record, sends what it returns, and what {@link RetryLater}
 * makes of those that it failed on; then commits the offsets. One thread; the consumer and the
 * producer are the caller's, who creates, subscribes and closes them.
 *
 * <p>It logs nothing itself: a {@link Listener} is told why a handler failed.
 *
 * <p>The consumer must not commit by itself ({@code enable.auto.commit=false}), should read {@code
 * read_committed} as any reader of a target, and must work off {@code max.poll.records} within
 * {@code max.poll.interval.ms}.
 */
public final class RetryLoop<K, V> {

  private final Consumer<K, V> consumer;
  private final Output<K, V> output;
  private final RetryLater later;
  private final Handler<K, V> handler;
  private final Listener<K, V> listener;
  private volatile boolean stopping;

  /** The work. */
  @FunctionalInterface
  public interface Handler<K, V> {

    /**
     * Works on one record.
     *
     * @return what to send because of it; empty for nothing. It is not sent by the handler itself,
     *     so that nothing is half done when it fails
     * @throws Exception if it failed; {@link RetryLater} says what becomes of the record. An
     *     interrupt ends the loop instead and is no failure of the record
     */
    Collection<ProducerRecord<K, V>> handle(ConsumerRecord<K, V> record) throws Exception;
  }

  /** Is told what the loop does not throw, for logs and metrics. On the thread of the loop. */
  public interface Listener<K, V> {

    /**
     * The handler failed on a record. It may be told again of the same record, should the turn be
     * undone.
     *
     * @param verdict what becomes of the record when the turn is committed
     */
    default void failed(ConsumerRecord<K, V> record, Exception failure, Verdict<K, V> verdict) {}

    /**
     * The group did not let a turn commit, so what was made of its records is undone: it has
     * rebalanced, or the turn took longer than {@code max.poll.interval.ms}. If that goes on, fewer
     * {@code max.poll.records} help.
     *
     * @param records how many
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
   * Exactly once: what a poll returned, what is sent because of it, retries and dead letters
   * included, and the offsets are one transaction.
   *
   * @param producer with a {@code transactional.id}, and {@code initTransactions()} called
   */
  public static <K, V> RetryLoop<K, V> exactlyOnce(
      Consumer<K, V> consumer, Producer<K, V> producer, RetryLater later, Handler<K, V> handler) {
    return new RetryLoop<>(
        consumer, new Output.Transaction<>(producer), later, handler, new Listener<>() {});
  }

  /**
   * At least once: the offsets are committed when everything that was sent is acknowledged. What
   * was under way when the process dies is handled and sent again.
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
   * The same loop with this listener, to be turned instead of this one. What the listener throws
   * ends the turn, as what Kafka throws does.
   */
  public RetryLoop<K, V> listener(Listener<K, V> told) {
    return new RetryLoop<>(consumer, output, later, handler, told);
  }

  /**
   * Turns until {@link #stop}, or until something fails that is not the handler.
   *
   * @param poll how long one poll waits for records, and so how long {@link #stop} may take
   */
  public void run(Duration poll) {
    while (!stopping) {
      turn(poll);
    }
  }

  /** Lets {@link #run} return after the turn that it is in. From any thread, once for all. */
  public void stop() {
    stopping = true;
  }

  /**
   * One poll and all that follows from it. If it throws anything, nothing of it has happened (at
   * least once: nothing is committed), and the next turn begins with the same records. If the group
   * has given the partitions to somebody else meanwhile, the same, but without an exception.
   *
   * <p>If it could not undo what it did, the exception has a suppressed one that says why. Most
   * often the commit has timed out, and nobody knows whether it happened. Then close consumer and
   * producer and begin with new ones: the committed offsets tell.
   *
   * <p>An exception of the handler, or a null that it returns, counts as a failure of the record.
   * An {@code Error} does not, and ends this turn: a record that has one each time has to be caught
   * by the handler. A record that the producer cannot serialize, or Kafka does not take, is no such
   * failure: it ends this turn, and each one after it that begins with the same records.
   *
   * @param poll how long to wait for records
   * @return how many records were settled
   * @throws org.apache.kafka.common.KafkaException if Kafka did not take the records or the
   *     offsets. After a fatal one ({@code ProducerFencedException} and the like) only a new
   *     producer helps
   * @throws InterruptException if the thread was interrupted; it still is then
   */
  public int turn(Duration poll) {
    ConsumerRecords<K, V> records = consumer.poll(poll);
    if (records.isEmpty()) {
      return 0;
    }
    // That of this poll: with a fresher one, a member could commit what it has lost since.
    ConsumerGroupMetadata group = consumer.groupMetadata();
    List<ProducerRecord<K, V>> sent = work(records);
    try {
      output.begin();
      sent.forEach(output::send);
      output.commit(ends(records), group);
      return records.count();
    } catch (CommitFailedException | RebalanceInProgressException e) {
      if (!undo(records, output::abort, e)) {
        throw e;
      }
      listener.undone(records.count(), e);
      return 0;
    } catch (RuntimeException | Error e) {
      undo(records, output::abort, e);
      throw e;
    }
  }

  /**
   * Before a transaction begins: while it is open, no reader of committed records gets past a retry
   * in the intake.
   */
  private List<ProducerRecord<K, V>> work(ConsumerRecords<K, V> records) {
    List<ProducerRecord<K, V>> results = new ArrayList<>();
    try {
      for (ConsumerRecord<K, V> record : records) {
        results.addAll(work(record));
      }
      return results;
    } catch (RuntimeException | Error e) {
      undo(records, () -> {}, e);
      throw e;
    }
  }

  private Collection<ProducerRecord<K, V>> work(ConsumerRecord<K, V> record) {
    try {
      return Objects.requireNonNull(handler.handle(record), "the handler returned null");
    } catch (InterruptedException e) {
      // The constructor sets the interrupt of the thread again.
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

  /** Much that is interrupted throws something else and leaves the thread so. */
  private static InterruptedException interrupted(Exception cause) {
    InterruptedException interrupted = new InterruptedException();
    interrupted.initCause(cause);
    return interrupted;
  }

  /**
   * Goes back to where this turn began, whether or not the abort works: nothing may be committed
   * beyond. An interrupt waits meanwhile, as neither would be done with it.
   *
   * @return false if that failed, which the exception has then as a suppressed one
   */
  private boolean undo(ConsumerRecords<K, V> records, Runnable abort, Throwable why) {
    boolean interrupted = Thread.interrupted();
    boolean back = tried(() -> goBack(records), why);
    boolean aborted = tried(abort, why);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return back && aborted;
  }

  private void goBack(ConsumerRecords<K, V> records) {
    for (TopicPartition partition : records.partitions()) {
      if (consumer.assignment().contains(partition)) {
        consumer.seek(partition, records.records(partition).get(0).offset());
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

  /** With what ends a transaction behind the last record: the lag would else be 1 for ever. */
  private Map<TopicPartition, OffsetAndMetadata> ends(ConsumerRecords<?, ?> records) {
    Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
    for (TopicPartition partition : records.partitions()) {
      List<? extends ConsumerRecord<?, ?>> of = records.records(partition);
      ConsumerRecord<?, ?> last = of.get(of.size() - 1);
      long end = consumer.position(partition);
      ends.put(partition, new OffsetAndMetadata(end, last.leaderEpoch(), ""));
    }
    return ends;
  }
}
