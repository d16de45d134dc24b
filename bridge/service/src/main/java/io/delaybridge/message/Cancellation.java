package io.delaybridge.message;

/**
 * Takes back the pending message with that id in the same partition, if there is one.
 *
 * @param id the {@code delay-id}, 1 to 256 bytes of UTF-8
 */
public record Cancellation(String id) implements Request {}
