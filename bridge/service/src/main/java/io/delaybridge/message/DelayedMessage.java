package io.delaybridge.message;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits for its due time.
 *
 * @param key due time and intake offset of the record that is stored
 * @param content everything of the record that is needed to deliver it, as kept in Redis
 */
public record DelayedMessage(Due key, StoredMessage content) implements Request {

  // The size of a batch of one record without its key, value and headers, rounded up.
  private static final int RECORD_OVERHEAD = 128;
  private static final int HEADER_OVERHEAD = 12;

  /** Intake offset under which the message is stored; for a retry, the offset of the copy. */
  public long offset() {
    return key.offset();
  }

  /**
   * Intake offset at which the message was read. It is the one under which the message is stored,
   * unless the message is a copy that came home from the later topic. For an ask, the offset of the
   * ask, whatever message has given its place to it.
   */
  public long readAt() {
    return isHome() && content.ask() == null ? content.readAt() : key.offset();
  }

  private boolean isHome() {
    return content.readAt() != StoredMessage.SELF;
  }

  /**
   * True if the message leaves for the later topic at once, to be due at {@code
   * content().farDue()}.
   */
  public boolean isFar() {
    return content.farDue() != StoredMessage.NEAR;
  }

  /** When the message is to be delivered, in epoch milliseconds; also for a far message. */
  public long due() {
    return isFar() ? content.farDue() : key.time();
  }

  /** Intake offset of the first attempt. */
  public long origin() {
    if (isRetry()) {
      return content.origin();
    }
    StoredAsk ask = content.ask();
    return ask != null && ask.verb().namesMessage() ? ask.offset() : key.offset();
  }

  /**
   * Intake offset of the record that has the content; for an ask, that of the message that it
   * names.
   */
  public long recordOffset() {
    if (isHome()) {
      return content.readAt();
    }
    StoredAsk ask = content.ask();
    return ask != null && ask.verb().namesMessage() ? ask.offset() : key.offset();
  }

  /** True if the bridge itself put this record on the intake, for a later attempt. */
  public boolean isRetry() {
    return content.origin() != StoredMessage.SELF;
  }

  /**
   * When the message could first have been delivered, in epoch milliseconds: the due time, or the
   * time at which the record was written if that was later. Lateness counts from here.
   */
  public long deliverableSince() {
    return Math.max(key.time(), content.writtenAt());
  }

  /** The ask about this message, or null if the message is due without one. */
  public @Nullable StoredAsk ask() {
    return content.ask();
  }

  /** True if the message that the ask names was not there when the ask was read. */
  public boolean isAskedInVain() {
    StoredAsk ask = content.ask();
    return ask != null && ask.inVain();
  }

  /** True if the request could not be understood; it goes to the dead-letter topic at once. */
  public boolean isMalformed() {
    return content.reason() != null;
  }

  /** True if a successor takes the place of the message when it goes out. */
  public boolean repeats() {
    if (!isMalformed()) {
      for (StoredHeader header : content.headers()) {
        String name = header.name();
        if (name.equals(DelayHeaders.EVERY) || name.equals(DelayHeaders.CRON)) {
          return true;
        }
      }
    }
    return false;
  }

  /** This message with other headers. */
  public DelayedMessage withHeaders(List<StoredHeader> headers) {
    return new DelayedMessage(key, content.withHeaders(headers));
  }

  /** The approximate size of a record batch with only this message, rounded up. */
  public int bytes() {
    int bytes = RECORD_OVERHEAD + length(content.key()) + length(content.value());
    for (StoredHeader header : content.headers()) {
      bytes += HEADER_OVERHEAD + header.name().length() + length(header.value());
    }
    return bytes;
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /** The {@code delay-id}, or null if there is none or the request is malformed. */
  @Override
  public @Nullable String id() {
    return isMalformed() ? null : header(DelayHeaders.ID);
  }

  /** The topic that the producer asked for, or null if it named none. */
  public @Nullable String target() {
    return text(targetBytes());
  }

  /** The UTF-8 of {@link #target}, not to be changed. */
  public byte @Nullable [] targetBytes() {
    return bytes(DelayHeaders.TARGET_TOPIC);
  }

  /**
   * The partition of the target that the producer asked for, or null if it named none. A release
   * that did not know the header let any value of it pass, so one that is no number names none.
   */
  public @Nullable Integer targetPartition() {
    byte[] digits = bytes(DelayHeaders.TARGET_PARTITION);
    if (digits == null || digits.length == 0) {
      return null;
    }
    long number = 0;
    for (byte digit : digits) {
      if (digit < '0' || digit > '9' || number > Integer.MAX_VALUE) {
        return null;
      }
      number = 10 * number + digit - '0';
    }
    return number > Integer.MAX_VALUE ? null : (Integer) (int) number;
  }

  /** The text of a header, or null if it is not there or has no value. */
  public @Nullable String header(String name) {
    return text(bytes(name));
  }

  private byte @Nullable [] bytes(String name) {
    for (StoredHeader header : content.headers()) {
      byte[] value = header.value();
      if (value != null && header.name().equals(name)) {
        return value;
      }
    }
    return null;
  }

  private static @Nullable String text(byte @Nullable [] utf8) {
    return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
  }
}
