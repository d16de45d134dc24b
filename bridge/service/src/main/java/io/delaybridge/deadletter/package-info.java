/**
 * Indexes dead letters, and does what is asked about them. {@link
 * io.delaybridge.deadletter.DeadLetters} is the door, and puts the rooms together. Delivery knows
 * nothing of all this.
 */
@NullMarked
package io.delaybridge.deadletter;

import org.jspecify.annotations.NullMarked;
