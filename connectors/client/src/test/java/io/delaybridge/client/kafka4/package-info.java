/**
 * Tests with what is made for one version of kafka-clients, the project's own: the bridge and Kafka
 * Streams. They have the tag {@code one-version}, which the run with Kafka 3 leaves out.
 */
@NullMarked
package io.delaybridge.client.kafka4;

import org.jspecify.annotations.NullMarked;
