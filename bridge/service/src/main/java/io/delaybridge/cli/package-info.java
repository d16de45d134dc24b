/** The commands {@code send} and {@code tail}, to try the bridge without Kafka's own scripts. */
@NullMarked
package io.delaybridge.cli;

import org.jspecify.annotations.NullMarked;
