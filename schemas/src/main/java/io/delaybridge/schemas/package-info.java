/**
 * The contract of the delay bridge, shared by its producers, its consumers and its own modules: the
 * names of its headers ({@link io.delaybridge.schemas.DelayHeaders}) and topics ({@link
 * io.delaybridge.schemas.DelayTopics}), the reasons of its dead letters ({@link
 * io.delaybridge.schemas.Reason}) and the bytes of a pending message ({@link
 * io.delaybridge.schemas.StoredMessageCodec}).
 *
 * <p>{@code delay-bridge.asyncapi.yaml}, on the class path, describes the topics for readers in any
 * language.
 */
@NullMarked
package io.delaybridge.schemas;

import org.jspecify.annotations.NullMarked;
