/**
 * A real Kafka broker, a real Redis and the bridge itself as processes on this machine, for tests,
 * benchmarks, fault injection and the local run. They need no Docker, no root privileges and no
 * installation.
 *
 * <p>{@link io.delaybridge.stack.ManagedProcess} starts, signals and ends one process; {@link
 * io.delaybridge.stack.LocalBroker}, {@link io.delaybridge.stack.LocalRedis} and {@link
 * io.delaybridge.stack.BridgeProcess} define what to run and how to detect that it is ready; {@link
 * io.delaybridge.stack.Stack} puts broker and Redis together, as processes or as containers. All
 * servers listen on 127.0.0.1 only.
 */
@NullMarked
package io.delaybridge.stack;

import org.jspecify.annotations.NullMarked;
