/**
 * The way out: decides what happens to a message that is due, builds the records, and publishes
 * them with one of two strategies, {@link io.delaybridge.delivery.TransactionalDelivery} (exactly
 * once) or {@link io.delaybridge.delivery.FlushingDelivery} (at least once).
 */
@NullMarked
package io.delaybridge.delivery;

import org.jspecify.annotations.NullMarked;
