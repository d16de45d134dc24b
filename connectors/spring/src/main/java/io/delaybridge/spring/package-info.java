/**
 * For applications with Spring Kafka: a listener that fails is tried again through the bridge
 * ({@link io.delaybridge.spring.DelayBridgeRecoverer}), messages are sent later ({@link
 * io.delaybridge.spring.DelayOperations}), and with Spring Boot both are there by configuration
 * ({@link io.delaybridge.spring.DelayBridgeProperties}).
 */
@NullMarked
package io.delaybridge.spring;

import org.jspecify.annotations.NullMarked;
