package io.delaybridge.delivery;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RebalanceInProgressException;

/** How publishing ended. */
public sealed interface Outcome {

  /** Everything is out, in the order given. */
  record Done(List<RecordMetadata> written) implements Outcome {}

  /**
   * Kafka refused some of the records. Of a transaction nothing is out; without one, all others
   * are.
   *
   * @param accused the records at fault, by index; may be empty without a transaction
   * @param unwritten indices of all records that are not out
   * @param othersWentThrough true if Kafka accepted at least one record: it is not down as a whole
   */
  record Refused(Map<Integer, Exception> accused, Set<Integer> unwritten, boolean othersWentThrough)
      implements Outcome {}

  /** Nothing is out, and it is nobody's fault in particular: take again. */
  record NotOut(Exception cause) implements Outcome {

    /** The group divides its partitions, or has just done so: nothing is wrong. */
    public boolean isRebalance() {
      return cause instanceof RebalanceInProgressException
          || cause instanceof CommitFailedException;
    }
  }

  /** Nobody knows whether it is out: the checkpoint tells, once it has been read again. */
  record Unknown(Exception cause) implements Outcome {}
}
