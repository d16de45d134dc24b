/**
 * The contract of the delay bridge, shared by everything that writes to it, reads from it or is
 * part of it: the names of its headers ({@link io.delaybridge.schemas.DelayHeaders}) and topics
 * ({@link io.delaybridge.schemas.DelayTopics}), the reasons of its dead letters ({@link
 * io.delaybridge.schemas.Reason}) and the bytes of a pending message ({@link
 * io.delaybridge.schemas.StoredMessageCodec}).
 *
 * <p>{@code delay-bridge.asyncapi.yaml}, on the class path, says the same of the topics for readers
 * in any language.
 */
@NullMarked
package io.delaybridge.schemas;

import org.jspecify.annotations.NullMarked;
