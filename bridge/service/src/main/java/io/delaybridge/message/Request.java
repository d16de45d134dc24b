package io.delaybridge.message;

/**
 * The request that one intake record makes. A malformed record is a message for the dead-letter
 * topic.
 */
public sealed interface Request permits DelayedMessage, Replacement, Cancellation, Ask {}
