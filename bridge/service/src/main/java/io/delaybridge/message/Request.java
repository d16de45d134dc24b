package io.delaybridge.message;

/** What one intake record asks for. A malformed record is a message for the dead-letter topic. */
public sealed interface Request permits DelayedMessage, Replacement, Cancellation, Ask {}
