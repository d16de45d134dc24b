package io.delaybridge.delivery;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RebalanceInProgressException;

/** The outcome of publishing. */
public sealed interface Outcome {

  /** Everything is out, in the order given. */
  record Done(List<RecordMetadata> written) implements Outcome {}

  /**
   * Kafka refused some of the records. With a transaction, none is out; without one, all others
   * are.
   *
   * @param accused the records at fault, by index; may be empty without a transaction
   * @param unwritten indices of all records that are not out
   * @param othersWentThrough true if Kafka accepted at least one record and has answered since, so
   *     that it is not down as a whole
   */
  record Refused(Map<Integer, Exception> accused, Set<Integer> unwritten, boolean othersWentThrough)
      implements Outcome {}

  /** Nothing is out, and no record in particular is at fault: take the messages again. */
  record NotOut(Exception cause) implements Outcome {

    /** Whether the group is rebalancing or has just done so: nothing is wrong. */
    public boolean isRebalance() {
      return cause instanceof RebalanceInProgressException
          || cause instanceof CommitFailedException;
    }
  }

  /**
   * It is not known whether the records are out. The checkpoint tells, once it has been read again.
   */
  record Unknown(Exception cause) implements Outcome {}
}
