/**
 * For producers and consumers that use the delay bridge: requests for the intake ({@link
 * io.delaybridge.client.DelayedRecords}), retries of a consumer that failed ({@link
 * io.delaybridge.client.RetryLater}, {@link io.delaybridge.client.RetryLoop}) and what the headers
 * of an arrival say ({@link io.delaybridge.client.Arrival}).
 *
 * <p>Everything here builds or reads ordinary Kafka records; nothing but {@code kafka-clients} is
 * needed, and no connection to the bridge or to Redis.
 */
@NullMarked
package io.delaybridge.client;

import org.jspecify.annotations.NullMarked;
