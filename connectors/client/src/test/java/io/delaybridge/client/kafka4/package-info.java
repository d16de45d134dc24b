/**
 * Tests that need one version of kafka-clients, the project's own: those with the bridge and Kafka
 * Streams. They have the tag {@code one-version}, which the run with Kafka 3 leaves out.
 */
@NullMarked
package io.delaybridge.client.kafka4;

import org.jspecify.annotations.NullMarked;
