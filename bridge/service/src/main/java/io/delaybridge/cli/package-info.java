/**
 * The commands {@code send} and {@code tail}, to try the bridge without Kafka's own scripts, and
 * {@code token}, for users who may call its API.
 */
@NullMarked
package io.delaybridge.cli;

import org.jspecify.annotations.NullMarked;
