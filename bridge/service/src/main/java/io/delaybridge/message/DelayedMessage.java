package io.delaybridge.message;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits for its due time.
 *
 * @param key due time and intake offset of the record that is stored
 * @param content everything of the record that is needed to deliver it, as kept in Redis
 */
public record DelayedMessage(Due key, StoredMessage content) implements Request {

  /** Intake offset of the record that is stored; for a retry, of the copy. */
  public long offset() {
    return key.offset();
  }

  /** Intake offset of the first attempt. */
  public long origin() {
    if (isRetry()) {
      return content.origin();
    }
    StoredAsk ask = content.ask();
    return ask != null && ask.verb().namesMessage() ? ask.offset() : key.offset();
  }

  /** Intake offset of the record that has the content: for an ask, of the message that it names. */
  public long recordOffset() {
    StoredAsk ask = content.ask();
    return ask != null && ask.verb().namesMessage() ? ask.offset() : key.offset();
  }

  /** True if the bridge itself put this record on the intake, for a later attempt. */
  public boolean isRetry() {
    return content.origin() != StoredMessage.SELF;
  }

  /** What is asked of this message, or null if it is simply due. */
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

  /** The {@code delay-id}, or null if there is none or the request is malformed. */
  public @Nullable String id() {
    return isMalformed() ? null : header(DelayHeaders.ID);
  }

  /** The topic that the producer asked for, or null if it named none. */
  public @Nullable String target() {
    return header(DelayHeaders.TARGET_TOPIC);
  }

  private @Nullable String header(String name) {
    for (StoredHeader header : content.headers()) {
      byte[] value = header.value();
      if (value != null && header.name().equals(name)) {
        return new String(value, StandardCharsets.UTF_8);
      }
    }
    return null;
  }
}
