/**
 * Indexes dead letters, and does what is asked about them.
 *
 * <p>{@link io.delaybridge.deadletter.DeadLetterIndex} reads all dead letters and marks into
 * memory, on every instance, and {@link io.delaybridge.deadletter.Catalog} answers questions about
 * them. {@link io.delaybridge.deadletter.Replay} puts a dead letter back on the intake and marks
 * it, both in one transaction of the {@link io.delaybridge.deadletter.Ledger}, which only one
 * instance at a time can write. {@link io.delaybridge.deadletter.Alarm} tells somebody when a
 * reason becomes frequent. Delivery knows nothing of all this.
 */
@NullMarked
package io.delaybridge.deadletter;

import org.jspecify.annotations.NullMarked;
