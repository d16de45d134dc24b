/**
 * {@link io.delaybridge.deadletter.replay.Replay} puts a dead letter back on the intake and marks
 * it, both in one transaction of the {@link io.delaybridge.deadletter.replay.Ledger}, which only
 * one instance at a time can write.
 */
@NullMarked
package io.delaybridge.deadletter.replay;

import org.jspecify.annotations.NullMarked;
