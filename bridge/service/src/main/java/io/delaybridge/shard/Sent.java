package io.delaybridge.shard;

import io.delaybridge.delivery.Outgoing;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * One record of a turn.
 *
 * @param of the outgoing message that the record is of, which may have two records
 */
record Sent(Outgoing of, ProducerRecord<byte[], byte[]> record) {

  /** In the order in which they are sent. */
  static Stream<Sent> of(Part part) {
    return part.outgoing().stream()
        .flatMap(one -> one.records().stream().map(record -> new Sent(one, record)));
  }

  /**
   * Whether only one message can be the reason if one of these records is refused: there is one
   * record, or there are two of the same kind.
   */
  static boolean isAlone(List<Sent> sent) {
    Sent first = sent.get(0);
    return sent.stream().allMatch(first::isLike);
  }

  private boolean isLike(Sent other) {
    return isOfSameMessage(other) && record.topic().equals(other.record.topic());
  }

  boolean isOfSameMessage(Sent other) {
    return of.shard().equals(other.of.shard())
        && of.message().offset() == other.of.message().offset();
  }
}
