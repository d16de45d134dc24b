package io.delaybridge.shard;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What a record of the intake means, read without the product's parser: as far as a simulation
 * writes such records, or makes the bridge write them.
 *
 * @param id of a message, a cancel or an ask, if it has one
 * @param due epoch milliseconds; -1 of an ask
 * @param origin intake offset of the first attempt; its own unless it is a copy
 * @param named of an ask, the message it names, as {@code offset/due}
 * @param op of a cancel or an ask
 */
record Fact(
    Kind kind,
    long offset,
    @Nullable String id,
    long due,
    long origin,
    @Nullable String named,
    @Nullable String op) {

  /** What a record can be. */
  enum Kind {
    MESSAGE,
    COPY,
    CANCEL,
    ASK
  }

  static Fact of(ConsumerRecord<byte[], byte[]> record) {
    long offset = record.offset();
    String id = header(record, DelayHeaders.ID);
    String op = header(record, DelayHeaders.OP);
    String named = header(record, DelayHeaders.PENDING);
    String retry = header(record, DelayHeaders.RETRY);
    String due = header(record, DelayHeaders.DELIVER_AT);
    if (op != null) {
      boolean plain = op.equals(DelayHeaders.OP_CANCEL) && named == null;
      return new Fact(plain ? Kind.CANCEL : Kind.ASK, offset, id, -1, offset, named, op);
    }
    if (retry != null) {
      String[] mark = retry.split("\\|", -1);
      return new Fact(
          Kind.COPY, offset, id, Long.parseLong(mark[3]), Long.parseLong(mark[1]), null, null);
    }
    return due == null
        ? new Fact(Kind.MESSAGE, offset, null, record.timestamp(), offset, null, null)
        : new Fact(Kind.MESSAGE, offset, id, Long.parseLong(due), offset, null, null);
  }

  boolean isMessage() {
    return kind == Kind.MESSAGE || kind == Kind.COPY;
  }

  boolean isFromUser() {
    return kind == Kind.MESSAGE || kind == Kind.CANCEL;
  }

  /** An ask that wants this of a message. */
  boolean asks(String what) {
    return kind == Kind.ASK && what.equals(op);
  }

  /** An ask that names exactly that message. */
  boolean names(Fact message) {
    return (message.offset + "/" + message.due).equals(named);
  }

  static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }
}
