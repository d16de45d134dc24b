/**
 * Library for producers and consumers that use the delay bridge. {@link
 * io.delaybridge.client.DelayedRecords} builds requests for the intake. {@link
 * io.delaybridge.client.RetryLater} and {@link io.delaybridge.client.RetryLoop} retry records that
 * a consumer failed on. {@link io.delaybridge.client.Arrival} reads the headers of an arrival.
 *
 * <p>Everything here builds or reads ordinary Kafka records. It needs only {@code kafka-clients},
 * and no connection to the bridge or to Redis.
 */
@NullMarked
package io.delaybridge.client;

import org.jspecify.annotations.NullMarked;
