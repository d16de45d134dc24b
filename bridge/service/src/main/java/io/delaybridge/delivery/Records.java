package io.delaybridge.delivery;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.RetryMark;
import io.delaybridge.message.RetryMark.Kind;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Source;
import io.delaybridge.repeat.InvalidRepeatException;
import io.delaybridge.repeat.Repetition;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Builds the records that leave the bridge. Pure. */
public final class Records {

  private static final int SHORT_HEADER = 512;

  private final String deadLetterTopic;

  /** Takes the name of the dead-letter topic. */
  public Records(String deadLetterTopic) {
    this.deadLetterTopic = deadLetterTopic;
  }

  /** The topic that dead letters go to. */
  public String deadLetterTopic() {
    return deadLetterTopic;
  }

  /**
   * Builds what leaves the bridge for this message.
   *
   * @param now epoch milliseconds, written on the record as the time of delivery
   */
  public Outgoing outgoing(ShardId shard, DelayedMessage message, Decision decision, long now) {
    return outgoing(shard, shard, message, decision, now);
  }

  /** Builds what becomes of a copy in the later topic of the shard. */
  public Outgoing ofLap(ShardId shard, DelayedMessage copy, Decision decision, long now) {
    return outgoing(shard, later(shard), copy, decision, now);
  }

  private static ShardId later(ShardId shard) {
    return new ShardId(DelayTopics.laterOf(shard.topic()), shard.partition());
  }

  /**
   * @param place partition of the record that has the content
   */
  private Outgoing outgoing(
      ShardId shard, ShardId place, DelayedMessage message, Decision decision, long now) {
    if (message.repeats()
        && (decision instanceof Decision.Deliver
            || decision instanceof Decision.Apart
            || decision instanceof Decision.Pass)) {
      return occurrence(shard, message, decision, now);
    }
    ProducerRecord<byte[], byte[]> record;
    if (decision instanceof Decision.Deliver deliver) {
      record = arrival(shard, message, deliver, now);
    } else if (decision instanceof Decision.Dead dead) {
      record = deadLetter(shard, place.source(message.recordOffset()), message, dead, now);
    } else if (decision instanceof Decision.Retry retry) {
      record = copy(shard, message, mark(message, message.content().attempt() + 1, retry.due()));
    } else if (decision instanceof Decision.Move move) {
      DelayedMessage moved =
          message.repeats() ? Repetition.moved(message, move.isPause()) : message;
      record = copy(shard, moved, mark(message, message.content().attempt(), move.due()));
    } else if (decision instanceof Decision.Home home) {
      record = copy(shard, message, lap(message, home.due()));
    } else if (decision instanceof Decision.Later later) {
      record = copy(later(shard), message, lap(message, later.due()));
    } else {
      throw new IllegalArgumentException("no record belongs to " + decision);
    }
    return new Outgoing(shard, message, decision, List.of(record), decision.goesBack());
  }

  /** Builds this occurrence, unless it is left out, and the next one, unless this is the last. */
  private static Outgoing occurrence(
      ShardId shard, DelayedMessage message, Decision decision, long now) {
    Repetition repetition;
    try {
      repetition = Repetition.of(message);
    } catch (InvalidRepeatException e) {
      throw new IllegalArgumentException("the headers of a repeating message are wrong", e);
    }
    DelayedMessage one = repetition.occurrence(message);
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(2);
    if (decision instanceof Decision.Deliver deliver) {
      records.add(arrival(shard, one, deliver, now));
    } else if (decision instanceof Decision.Apart) {
      records.add(copy(shard, one, mark(one, one.content().attempt(), one.key().time())));
    }
    Repetition next = repetition.next(now);
    if (next != null) {
      long expires = next.expires(repetition, message.content().expiresAt());
      RetryMark mark = new RetryMark(Kind.AGAIN, message.origin(), 1, next.due(), expires);
      records.add(copy(shard, message.withHeaders(next.with(message.content().headers())), mark));
    }
    return new Outgoing(shard, message, decision, records, next != null);
  }

  private static ProducerRecord<byte[], byte[]> arrival(
      ShardId shard, DelayedMessage message, Decision.Deliver deliver, long now) {
    StoredMessage content = message.content();
    List<Header> headers = new ArrayList<>(content.headers().size() + 5);
    for (StoredHeader header : content.headers()) {
      String name = header.name();
      if (!DelayHeaders.CONTROL.contains(name)
          && !DelayHeaders.ARRIVAL.contains(name)
          && !DelayHeaders.DEAD.contains(name)) {
        headers.add(new RecordHeader(name, header.value()));
      }
    }
    headers.add(header(DelayHeaders.SOURCE, shard.source(message.origin())));
    headers.add(header(DelayHeaders.DUE_AT, message.key().time()));
    headers.add(header(DelayHeaders.DELIVERED_AT, now));
    headers.add(header(DelayHeaders.ATTEMPT, content.attempt()));
    String id = message.id();
    if (id != null) {
      headers.add(header(DelayHeaders.ID, id));
    }
    return new ProducerRecord<>(
        deliver.target(), deliver.partition(), content.key(), content.value(), headers);
  }

  private ProducerRecord<byte[], byte[]> deadLetter(
      ShardId shard, Source whole, DelayedMessage message, Decision.Dead dead, long now) {
    StoredMessage content = message.content();
    Source source = shard.source(message.origin());
    List<Header> headers = new ArrayList<>(content.headers().size() + 5);
    for (StoredHeader header : content.headers()) {
      String name = header.name();
      if (!DelayHeaders.ARRIVAL.contains(name)
          && !DelayHeaders.DEAD.contains(name)
          && (dead.whole() || isShortOfOurs(header))) {
        headers.add(new RecordHeader(name, header.value()));
      }
    }
    String pointer =
        dead.whole()
            ? ""
            : " (too large for this topic: key, value and headers are at offset %s only)"
                .formatted(whole);
    headers.add(header(DelayHeaders.DEAD_REASON, dead.reason().name()));
    headers.add(header(DelayHeaders.DEAD_DETAIL, dead.detail() + pointer));
    headers.add(header(DelayHeaders.DEAD_AT, now));
    if (!dead.whole()) {
      headers.add(header(DelayHeaders.DEAD_CONTENT, whole));
    }
    headers.add(header(DelayHeaders.SOURCE, source));
    headers.add(header(DelayHeaders.ATTEMPT, content.attempt()));
    byte[] key = dead.whole() ? content.key() : null;
    byte[] value = dead.whole() ? content.value() : null;
    return new ProducerRecord<>(deadLetterTopic, null, key, value, headers);
  }

  private static boolean isShortOfOurs(StoredHeader header) {
    byte[] value = header.value();
    return (DelayHeaders.CONTROL.contains(header.name())
            || DelayHeaders.CARRIED.contains(header.name())
            || DelayHeaders.REPEATED.contains(header.name()))
        && (value == null || value.length <= SHORT_HEADER);
  }

  /**
   * Builds a copy. It has the time of its append, not the original's: retention goes by the
   * youngest record.
   */
  private static ProducerRecord<byte[], byte[]> copy(
      ShardId to, DelayedMessage message, RetryMark mark) {
    StoredMessage content = message.content();
    List<Header> headers = new ArrayList<>(content.headers().size() + 1);
    for (StoredHeader header : content.headers()) {
      headers.add(new RecordHeader(header.name(), header.value()));
    }
    headers.add(header(DelayHeaders.RETRY, mark));
    return new ProducerRecord<>(
        to.topic(), to.partition(), content.key(), content.value(), headers);
  }

  private static RetryMark mark(DelayedMessage message, int attempt, long due) {
    return new RetryMark(Kind.AGAIN, message.origin(), attempt, due, message.content().expiresAt());
  }

  private static RetryMark lap(DelayedMessage message, long due) {
    StoredMessage content = message.content();
    return new RetryMark(Kind.LAP, message.origin(), content.attempt(), due, content.expiresAt());
  }

  private static Header header(String name, Object value) {
    return new RecordHeader(name, value.toString().getBytes(StandardCharsets.UTF_8));
  }
}
