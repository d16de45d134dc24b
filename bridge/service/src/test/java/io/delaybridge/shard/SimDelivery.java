package io.delaybridge.shard;

import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Packing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Publishes to a {@link SimKafka}, with or without a transaction, and fails when told to. */
final class SimDelivery implements Delivery {

  /** The faults of a call. */
  enum Fault {
    /** Nothing is published. */
    NOT_OUT,
    /** The records are published, but the answer is lost. */
    UNKNOWN_COMMITTED,
    /** The records are not published, and the answer is lost. */
    UNKNOWN_ABORTED,
    /** The answer is lost and the transaction stays open until someone ends it. */
    UNKNOWN_OPEN,
    /** Without a transaction: the first half is published. */
    HALF_OUT
  }

  private final SimKafka kafka;
  private final SimConsumer consumer;
  private final String transactionalId;
  private final boolean transactional;
  private final Deque<Fault> faults = new ArrayDeque<>();
  private @Nullable Runnable before;
  private Runnable beforeEnd = () -> {};
  private @Nullable SimTransaction hanging;
  private boolean fenced;
  private int calls;

  SimDelivery(SimKafka kafka, SimConsumer consumer, String transactionalId, boolean transactional) {
    this.kafka = kafka;
    this.consumer = consumer;
    this.transactionalId = transactionalId;
    this.transactional = transactional;
  }

  /** Applies the fault to the next call that has none yet. */
  void fault(Fault fault) {
    faults.add(fault);
  }

  /** Drops the faults that have had no call to strike at. */
  void noFaults() {
    faults.clear();
  }

  /** Runs the action at the beginning of the next call, while the loop is stuck in it. */
  void before(Runnable action) {
    before = action;
  }

  /** Runs the action in every transaction that is about to be committed. */
  void beforeEnd(Runnable action) {
    beforeEnd = action;
  }

  /**
   * Simulates another process that begins under the same transactional id: aborts the open
   * transaction.
   */
  void fence() {
    kafka.abortLeftOver(transactionalId);
    fenced = transactional;
  }

  boolean isFenced() {
    return fenced;
  }

  /**
   * Returns whether this delivery was fenced since the last call; it then begins anew under its id.
   */
  private boolean noticesFence() {
    boolean noticed = fenced;
    fenced = false;
    return noticed;
  }

  /** Returns the number of calls to publish or commit. */
  int calls() {
    return calls;
  }

  /** Returns the transaction that a call left open, or null if there is none or it has ended. */
  @Nullable SimTransaction leftOpen() {
    return hanging != null && hanging.isOpen() ? hanging : null;
  }

  /** Returns the transaction that a call left open. */
  SimTransaction hanging() {
    if (hanging == null) {
      throw new IllegalStateException("no transaction was left open");
    }
    return hanging;
  }

  @Override
  public boolean isTransactional() {
    return transactional;
  }

  @Override
  public Outcome deliver(
      List<ProducerRecord<byte[], byte[]>> records,
      Packing packing,
      Map<TopicPartition, OffsetAndMetadata> checkpoints,
      ConsumerGroupMetadata group) {
    begin();
    Fault fault = faults.poll();
    return transactional ? transaction(records, checkpoints, group, fault) : flush(records, fault);
  }

  @Override
  public Outcome commit(
      Map<TopicPartition, OffsetAndMetadata> checkpoints, ConsumerGroupMetadata group) {
    if (transactional) {
      return deliver(List.of(), Packing.PLAIN, checkpoints, group);
    }
    begin();
    try {
      consumer.commitSync(checkpoints, java.time.Duration.ZERO);
      return new Outcome.Done(List.of());
    } catch (CommitFailedException | RebalanceInProgressException e) {
      return new Outcome.NotOut(e);
    }
  }

  private void begin() {
    calls++;
    Runnable action = before;
    before = null;
    if (action != null) {
      action.run();
    }
  }

  private Outcome transaction(
      List<ProducerRecord<byte[], byte[]>> records,
      Map<TopicPartition, OffsetAndMetadata> checkpoints,
      ConsumerGroupMetadata group,
      @Nullable Fault fault) {
    if (noticesFence()) {
      return new Outcome.NotOut(new ProducerFencedException("simulated"));
    }
    SimTransaction transaction = kafka.begin(transactionalId);
    List<RecordMetadata> written = new ArrayList<>();
    Map<Integer, Exception> failures = new HashMap<>();
    for (ProducerRecord<byte[], byte[]> record : records) {
      Exception refusal = kafka.refusal(record);
      if (refusal != null) {
        failures.put(written.size() + failures.size(), refusal);
      } else {
        written.add(transaction.send(record));
      }
    }
    if (!failures.isEmpty()) {
      transaction.abort();
      Set<Integer> all =
          IntStream.range(0, records.size()).boxed().collect(Collectors.toUnmodifiableSet());
      return new Outcome.Refused(failures, all, !written.isEmpty());
    }
    try {
      transaction.sendOffsets(checkpoints, group);
    } catch (CommitFailedException e) {
      transaction.abort();
      return new Outcome.NotOut(e);
    }
    beforeEnd.run();
    return end(transaction, written, fault);
  }

  private Outcome end(
      SimTransaction transaction, List<RecordMetadata> written, @Nullable Fault fault) {
    if (noticesFence()) {
      return new Outcome.Unknown(new ProducerFencedException("simulated"));
    }
    if (fault == null) {
      transaction.commit();
      return new Outcome.Done(written);
    }
    TimeoutException cause = new TimeoutException(fault.name());
    switch (fault) {
      case UNKNOWN_COMMITTED -> transaction.commit();
      case UNKNOWN_OPEN -> hanging = transaction;
      default -> transaction.abort();
    }
    return fault == Fault.NOT_OUT ? new Outcome.NotOut(cause) : new Outcome.Unknown(cause);
  }

  private Outcome flush(List<ProducerRecord<byte[], byte[]>> records, @Nullable Fault fault) {
    if (fault == Fault.NOT_OUT) {
      return new Outcome.NotOut(new TimeoutException("NOT_OUT"));
    }
    int out = fault == Fault.HALF_OUT ? records.size() / 2 : records.size();
    List<RecordMetadata> written = new ArrayList<>();
    Map<Integer, Exception> failures = new HashMap<>();
    for (int i = 0; i < out; i++) {
      Exception refusal = kafka.refusal(records.get(i));
      if (refusal == null) {
        written.add(kafka.append(records.get(i), false));
      } else {
        failures.put(i, refusal);
      }
    }
    if (fault != null) {
      return new Outcome.NotOut(new TimeoutException(fault.name()));
    }
    return failures.isEmpty()
        ? new Outcome.Done(written)
        : new Outcome.Refused(failures, failures.keySet(), !written.isEmpty());
  }

  @Override
  public void prepare() {}

  @Override
  public void close() {}
}
