package io.delaybridge.bench.faults;

import io.delaybridge.bench.faults.Nature.Kind;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * The accounting of all records that arrive. It knows how messages are derived from the seed, and
 * nothing about how the bridge works. It is confined to one thread, except for the counters and the
 * journal.
 */
final class Judge {

  private final Ledger ledger;
  private final Findings findings;
  private final long skew;
  private final Journal journal = new Journal();
  private final byte[] arrivals;
  private final long[] source;
  private final AtomicInteger distinct = new AtomicInteger();
  private volatile long longestStall;

  /**
   * @param skew milliseconds that a message may be early by the clock of this process
   */
  Judge(Ledger ledger, Findings findings, long skew) {
    this.ledger = ledger;
    this.findings = findings;
    this.skew = skew;
    this.arrivals = new byte[ledger.size()];
    this.source = new long[ledger.size()];
  }

  /** Returns the number of different messages that have arrived. */
  int distinct() {
    return distinct.get();
  }

  /** Returns the longest time that a due message waited for a reader, in milliseconds. */
  long longestStall() {
    return longestStall;
  }

  Journal journal() {
    return journal;
  }

  /**
   * Checks a record of a target or of the dead letters.
   *
   * @param seenAt epoch milliseconds, by the clock of this process
   */
  void arrived(ConsumerRecord<byte[], byte[]> record, long seenAt) {
    String where = record.topic() + "/" + record.partition() + "/" + record.offset();
    Optional<Payload> payload =
        record.value() == null ? Optional.empty() : Payload.decode(record.value());
    String from = text(record, DelayHeaders.SOURCE);
    if (payload.isEmpty() || payload.get().number() >= ledger.size()) {
      findings.add(Violation.CORRUPTED, "%s, of %s: checksum".formatted(where, from));
      return;
    }
    OptionalLong position = Position.parse(from, BridgeConfig.INTAKE);
    int number = payload.get().number();
    String what = "message %d of %s at %s".formatted(number, from, where);
    if (payload.get().decoy() || !ledger.isExpected(number)) {
      findings.add(Violation.TAKEN_BACK, what);
    } else if (position.isEmpty()) {
      findings.add(Violation.STRANGE, what);
    } else {
      count(number, position.getAsLong(), what);
      compare(record, payload.get(), seenAt, what);
      note(record, payload.get(), position.getAsLong(), seenAt);
    }
  }

  private void count(int number, long position, String what) {
    if (arrivals[number] == 0) {
      source[number] = position;
      distinct.incrementAndGet();
    } else {
      findings.add(Violation.DUPLICATED, what);
      if (source[number] != position) {
        findings.add(Violation.STRANGE, what + ", before from " + Position.text(source[number]));
      }
    }
    arrivals[number] = (byte) Math.min(arrivals[number] + 1, Byte.MAX_VALUE);
  }

  private void compare(
      ConsumerRecord<byte[], byte[]> record, Payload payload, long seenAt, String what) {
    int number = payload.number();
    Nature nature = ledger.nature(number);
    String topic = nature.kind().dies() ? BridgeConfig.DEAD_LETTERS : Load.target(nature.target());
    if (!record.topic().equals(topic)) {
      findings.add(
          Violation.MISPLACED,
          "%s, was for %s %s".formatted(what, topic, text(record, DelayHeaders.DEAD_DETAIL)));
    }
    long sentAt = sentAt(record);
    if (sentAt < payload.due() || seenAt < payload.due() - skew) {
      findings.add(
          Violation.EARLY,
          "%s: due %d, sent %d, seen %d".formatted(what, payload.due(), sentAt, seenAt));
    }
    boolean first = text(record, DelayHeaders.ATTEMPT).equals("1");
    boolean dueAt =
        nature.kind().dies()
            || !first
            || text(record, DelayHeaders.DUE_AT).equals(Long.toString(payload.due()));
    if (!Arrays.equals(record.key(), Nature.key(ledger.seed(), number))
        || !text(record, Load.NUMBER).equals(Integer.toString(number))
        || payload.target() != nature.target()
        || !dueAt) {
      findings.add(Violation.CORRUPTED, what + ": key or headers");
    }
  }

  private void note(
      ConsumerRecord<byte[], byte[]> record, Payload payload, long position, long seenAt) {
    Nature nature = ledger.nature(payload.number());
    if (nature.kind() != Kind.RETRIED) {
      long readyAt = payload.due() + Math.max(0, -nature.delay());
      longestStall = Math.max(longestStall, seenAt - readyAt);
    }
    if (text(record, DelayHeaders.ATTEMPT).equals("1")) {
      journal.add(position, payload.due(), sentAt(record));
    }
  }

  /**
   * Checks, after the last record was read, that every expected message has arrived and that its
   * source is the position where Kafka put it.
   */
  void conclude() {
    for (int number = 0; number < ledger.size(); number++) {
      if (ledger.source(number) == Position.NONE) {
        throw new FaultsException("message " + number + " was never acknowledged");
      }
      if (!ledger.isExpected(number)) {
        continue;
      }
      String at = Position.text(ledger.source(number));
      if (arrivals[number] == 0) {
        findings.add(
            Violation.LOST,
            "message %d of %s, %s, due %d"
                .formatted(number, at, ledger.nature(number).kind(), ledger.due(number)));
      } else if (source[number] != ledger.source(number)) {
        findings.add(
            Violation.STRANGE,
            "message %d was sent to %s and came from %s"
                .formatted(number, at, Position.text(source[number])));
      }
    }
  }

  /** Returns the send time by the bridge's clock. */
  private static long sentAt(ConsumerRecord<byte[], byte[]> record) {
    String at = text(record, DelayHeaders.DELIVERED_AT);
    String text = at.isEmpty() ? text(record, DelayHeaders.DEAD_AT) : at;
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : Long.MIN_VALUE;
  }

  static String text(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }
}
