/**
 * A real Kafka broker, a real Redis and the bridge itself as processes of this machine, for tests,
 * benchmarks, fault injection and the local run. No Docker, no root, nothing installed.
 *
 * <p>{@link io.delaybridge.stack.ManagedProcess} starts, signals and ends one process; {@link
 * io.delaybridge.stack.LocalBroker}, {@link io.delaybridge.stack.LocalRedis} and {@link
 * io.delaybridge.stack.BridgeProcess} say what to run and how to see that it is ready; {@link
 * io.delaybridge.stack.Stack} puts broker and Redis together, as processes or as containers. All
 * servers listen on 127.0.0.1 only.
 */
@NullMarked
package io.delaybridge.stack;

import org.jspecify.annotations.NullMarked;
