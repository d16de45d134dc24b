package io.delaybridge.message;

import io.delaybridge.schemas.StoredAsk;
import org.jspecify.annotations.Nullable;

/**
 * Asks something of one pending message, or of the shard. The ask takes the place of the message
 * that it names and comes before everything that is due. The owner of the shard answers it in the
 * transaction that settles it. See ADR 12.
 *
 * @param key always {@link Due#asked}
 * @param id the {@code delay-id} of the message that it names, or null if the message has none
 */
public record Ask(Due key, @Nullable String id, StoredAsk stored) implements Request {

  /** Intake offset of the ask itself. */
  public long offset() {
    return key.offset();
  }
}
