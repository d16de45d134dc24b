/**
 * Values and pure functions that every other package uses: what a message is, when it is due, where
 * it came from, when to try again. Knows nothing of Kafka, Redis or Dropwizard.
 */
@NullMarked
package io.delaybridge.message;

import org.jspecify.annotations.NullMarked;
