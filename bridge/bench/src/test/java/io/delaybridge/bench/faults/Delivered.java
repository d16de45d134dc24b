package io.delaybridge.bench.faults;

import io.delaybridge.bench.faults.Nature.Kind;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** A written load and the records that a correct bridge would deliver for it. */
final class Delivered {

  static final int SIZE = 400;
  static final long DUE = 1_800_000_000_000L;

  private static final long SEED = 7;
  private static final long LONGEST = 1_000;

  final Ledger ledger = new Ledger(SEED, SIZE, LONGEST, false);
  private long offset;

  Delivered() {
    for (int number = 0; number < SIZE; number++) {
      ledger.due(number, DUE);
      ledger.sent(number, false, Position.of(number % 4, number));
      if (ledger.nature(number).kind().hasDecoy()) {
        ledger.sent(number, true, Position.of(number % 4, SIZE + number));
      }
    }
  }

  /** Returns the number of the first message of a kind. */
  int first(Kind kind) {
    for (int number = 0; number < SIZE; number++) {
      if (ledger.nature(number).kind() == kind) {
        return number;
      }
    }
    throw new IllegalStateException("no message is " + kind);
  }

  /** Returns the record that should arrive for a message. */
  ConsumerRecord<byte[], byte[]> record(int number) {
    return record(number, topic(number), DUE + 3, payload(number, false));
  }

  String topic(int number) {
    Nature nature = ledger.nature(number);
    return nature.kind().dies() ? BridgeConfig.DEAD_LETTERS : Load.target(nature.target());
  }

  byte[] payload(int number, boolean decoy) {
    return new Payload(number, decoy, DUE, ledger.nature(number).target()).encode(9);
  }

  /**
   * @param sentAt the time of sending that the bridge reports
   */
  ConsumerRecord<byte[], byte[]> record(int number, String topic, long sentAt, byte[] value) {
    boolean dead = topic.equals(BridgeConfig.DEAD_LETTERS);
    RecordHeaders headers = new RecordHeaders();
    long source = ledger.source(number);
    add(
        headers,
        DelayHeaders.SOURCE,
        BridgeConfig.INTAKE + "/" + Position.partition(source) + "/" + Position.offset(source));
    add(headers, DelayHeaders.ATTEMPT, "1");
    add(headers, Load.NUMBER, Integer.toString(number));
    add(headers, DelayHeaders.DUE_AT, Long.toString(DUE));
    add(headers, dead ? DelayHeaders.DEAD_AT : DelayHeaders.DELIVERED_AT, Long.toString(sentAt));
    byte[] key = Nature.key(SEED, number);
    return new ConsumerRecord<>(
        topic,
        0,
        offset++,
        sentAt,
        TimestampType.CREATE_TIME,
        0,
        value.length,
        key,
        value,
        headers,
        Optional.empty());
  }

  static void add(RecordHeaders headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
