package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of an intake record, read without the product's parser. It covers only the records
 * that a simulation writes or makes the bridge write.
 *
 * @param id id of a message, a cancel or an ask, if it has one
 * @param due epoch milliseconds; -1 for an ask
 * @param origin intake offset of the first attempt; its own offset unless it is a copy
 * @param named for an ask, the message it names, as {@code offset/due}
 * @param op operation of a cancel or an ask
 * @param key key under which it is stored
 * @param isFar whether it leaves for the later topic at once
 * @param isHome whether it came from the later topic
 * @param instead for a message that acts only if the message it replaces is far, the offset of that
 *     message; -1 if it acts in any case
 * @param seen offset up to which the store was fed when the replaced message was seen to be far
 * @param occurrence for a message, the occurrence that it is
 */
record Fact(
    Kind kind,
    long offset,
    @Nullable String id,
    long due,
    long origin,
    @Nullable String named,
    @Nullable String op,
    Due key,
    boolean isFar,
    boolean isHome,
    long instead,
    long seen,
    Occurrence occurrence) {

  /** An upper bound for the number of occurrences of a message in a simulation. */
  private static final long MOST = 1_000;

  /**
   * The occurrence that a record of a repeating message is or comes from.
   *
   * @param number 0 if the message does not repeat
   * @param scheduledAt epoch milliseconds
   * @param repeats whether others follow
   * @param missed policy for missed occurrences
   * @param count total number of occurrences
   * @param written epoch milliseconds
   */
  record Occurrence(
      int number, long scheduledAt, boolean repeats, String missed, int count, long written) {

    static final Occurrence NONE = new Occurrence(0, -1, false, "", 1, 0);

    private static Occurrence of(ConsumerRecord<byte[], byte[]> record) {
      boolean repeats = header(record, DelayHeaders.EVERY) != null;
      String number = header(record, DelayHeaders.OCCURRENCE);
      if (!repeats && number == null) {
        return NONE;
      }
      String first = header(record, DelayHeaders.DELIVER_AT);
      String at = header(record, DelayHeaders.SCHEDULED_AT);
      return new Occurrence(
          number == null ? 1 : Integer.parseInt(number),
          Long.parseLong(String.valueOf(at == null ? first : at)),
          repeats,
          String.valueOf(header(record, DelayHeaders.MISSED)),
          Integer.parseInt(Objects.requireNonNullElse(header(record, DelayHeaders.COUNT), "1")),
          record.timestamp());
    }
  }

  /** The kinds of records. */
  enum Kind {
    MESSAGE,
    COPY,
    CANCEL,
    ASK
  }

  static Fact of(ConsumerRecord<byte[], byte[]> record, long horizon) {
    long offset = record.offset();
    String id = header(record, DelayHeaders.ID);
    String op = header(record, DelayHeaders.OP);
    String named = header(record, DelayHeaders.PENDING);
    String retry = header(record, DelayHeaders.RETRY);
    String due = header(record, DelayHeaders.DELIVER_AT);
    if (op != null) {
      boolean plain = op.equals(DelayHeaders.OP_CANCEL) && named == null;
      Due key = Due.asked(offset);
      return new Fact(
          plain ? Kind.CANCEL : Kind.ASK,
          offset,
          id,
          -1,
          offset,
          named,
          op,
          key,
          false,
          false,
          -1,
          -1,
          Occurrence.NONE);
    }
    long written = record.timestamp();
    String[] mark = retry == null ? new String[0] : retry.split("\\|", -1);
    long of = retry == null ? -1 : Long.parseLong(mark[1]);
    if (retry != null && mark[0].equals("v2")) {
      boolean apart = header(record, DelayHeaders.SCHEDULE) != null;
      Due key = new Due(Long.parseLong(mark[3]), apart ? offset : of);
      return new Fact(
          Kind.COPY,
          offset,
          id,
          key.time(),
          of,
          null,
          null,
          key,
          false,
          true,
          -1,
          -1,
          Occurrence.of(record));
    }
    String at = retry == null ? due : mark[3];
    long time = at == null ? written : Long.parseLong(at);
    boolean far = horizon > 0 && time - written > horizon;
    boolean again = retry != null && mark[0].equals("v1");
    return new Fact(
        again ? Kind.COPY : Kind.MESSAGE,
        offset,
        at == null ? null : id,
        time,
        again ? of : offset,
        null,
        null,
        new Due(far ? written : time, offset),
        far,
        false,
        again ? -1 : of,
        again || of < 0 ? -1 : Long.parseLong(mark[5]),
        Occurrence.of(record));
  }

  /** Returns the unit that can go out once: a message, or one occurrence of it. */
  long unit() {
    return unit(origin, occurrence.number);
  }

  static long unit(long origin, int number) {
    return origin * MOST + number;
  }

  /** Returns whether it goes out with a successor, unless it is the last. */
  boolean repeats() {
    return occurrence.repeats;
  }

  /** Returns whether it is a copy of an earlier message with the same id. */
  boolean isOlder(Fact than) {
    return kind == Kind.COPY && origin < than.offset && id != null && id.equals(than.id);
  }

  boolean isMessage() {
    return kind == Kind.MESSAGE || kind == Kind.COPY;
  }

  boolean isFromUser() {
    return kind == Kind.MESSAGE || kind == Kind.CANCEL;
  }

  /** Returns whether it is an ask for that operation. */
  boolean asks(String what) {
    return kind == Kind.ASK && what.equals(op);
  }

  /** Returns whether it names exactly that message, which was there when it was written. */
  boolean names(Fact message) {
    return message.offset < offset && !message.isFar && message.name().equals(named);
  }

  /** Returns what an ask calls the message; one that came home is called by its origin. */
  String name() {
    return key.offset() + "/" + due;
  }

  static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }
}
