/**
 * Library for applications with Spring Kafka. {@link io.delaybridge.spring.DelayBridgeRecoverer}
 * retries a record through the bridge when its listener fails. {@link
 * io.delaybridge.spring.DelayOperations} sends messages later. With Spring Boot, {@link
 * io.delaybridge.spring.DelayBridgeProperties} configures both.
 */
@NullMarked
package io.delaybridge.spring;

import org.jspecify.annotations.NullMarked;
