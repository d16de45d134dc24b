package io.delaybridge.stack;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A record on a target topic or on the dead-letter topic, in the form shown to the user. */
record Arrival(ConsumerRecord<byte[], byte[]> record, long atMs) {

  private static final int SHOWN = 28;
  private static final long LONG_AGO_MS = 10_000;

  /** Returns the value, quoted, shortened and on one line. */
  String value() {
    if (record.value() == null) {
      return "null";
    }
    String text = new String(record.value(), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    return '"' + (text.length() > SHOWN ? text.substring(0, SHOWN - 3) + "..." : text) + '"';
  }

  boolean isDead() {
    return header(DelayHeaders.DEAD_REASON) != null;
  }

  /** Returns how late the record is, in milliseconds unless it is very late, or why it is dead. */
  String verdict() {
    String dueAt = header(DelayHeaders.DUE_AT);
    if (isDead()) {
      return header(DelayHeaders.DEAD_REASON) + ": " + header(DelayHeaders.DEAD_DETAIL);
    }
    if (dueAt == null) {
      return "not sent by the bridge";
    }
    long late = atMs - Long.parseLong(dueAt);
    return late < LONG_AGO_MS ? late + " ms late" : late / 1_000 + " s late";
  }

  @Nullable String header(String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? null
        : new String(header.value(), StandardCharsets.UTF_8);
  }
}
