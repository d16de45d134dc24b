package io.delaybridge.delivery;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;

/** How publishing ended. */
public sealed interface Outcome {

  /** Everything is out, in the order given. */
  record Done(List<RecordMetadata> written) implements Outcome {}

  /**
   * Kafka refused some of the records. Of a transaction nothing is out; without one, all others
   * are.
   *
   * @param failures by index of the record
   * @param othersWentThrough true if Kafka accepted at least one of the other records
   */
  record Refused(Map<Integer, Exception> failures, boolean othersWentThrough) implements Outcome {}

  /** Nothing is out, and it is nobody's fault in particular: take again. */
  record NotOut(Exception cause) implements Outcome {}

  /** Nobody knows whether it is out: the checkpoint tells, once it has been read again. */
  record Unknown(Exception cause) implements Outcome {}
}
