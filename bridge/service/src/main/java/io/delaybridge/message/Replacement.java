package io.delaybridge.message;

/**
 * A message in the place of one that waits in the later topic, which is how that is moved: it does
 * nothing if its id stands for anything else by then. See ADR 32.
 *
 * @param message has an id
 * @param named intake offset at which the message was said that it replaces
 * @param seen intake offset up to which the store had everything when that was seen to be far
 */
public record Replacement(DelayedMessage message, long named, long seen) implements Request {}
