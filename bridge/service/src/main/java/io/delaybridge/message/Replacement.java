package io.delaybridge.message;

import org.jspecify.annotations.Nullable;

/**
 * A message that moves one in the later topic by taking its place. It does nothing if its id stands
 * for anything else by then. See ADR 32.
 *
 * @param message has an id
 * @param named intake offset at which the message that it replaces was requested
 * @param seen intake offset up to which the store had everything when that message was seen to be
 *     far
 */
public record Replacement(DelayedMessage message, long named, long seen) implements Request {

  @Override
  public @Nullable String id() {
    return message.id();
  }
}
