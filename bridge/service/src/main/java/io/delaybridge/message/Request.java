package io.delaybridge.message;

import org.jspecify.annotations.Nullable;

/**
 * The request that one intake record makes. A malformed record is a message for the dead-letter
 * topic.
 */
public sealed interface Request permits DelayedMessage, Replacement, Cancellation, Ask {

  /** The {@code delay-id} of the record, or null if it has none or is malformed. */
  @Nullable String id();
}
