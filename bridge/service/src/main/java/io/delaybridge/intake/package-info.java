/**
 * Reads what a record asks for: record in, {@link io.delaybridge.message.DelayedMessage} or {@link
 * io.delaybridge.message.Cancellation} out. A pure function: no clock, no configuration but the
 * admission limit that the checkpoint records.
 */
@NullMarked
package io.delaybridge.intake;

import org.jspecify.annotations.NullMarked;
