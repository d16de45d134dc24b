package io.delaybridge.shard;

import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The time, by two clocks, and a way to let it pass. Due times go by the wall clock, intervals by a
 * clock that never jumps.
 *
 * @param wall wall clock
 * @param nanos monotonic clock, nanoseconds from an arbitrary origin
 * @param pause waits for this many nanoseconds, or less
 */
public record Clocks(InstantSource wall, LongSupplier nanos, LongConsumer pause) {

  /** The clocks of this machine. */
  public static Clocks system() {
    return new Clocks(InstantSource.system(), System::nanoTime, LockSupport::parkNanos);
  }

  long now() {
    return wall.millis();
  }

  long nanoTime() {
    return nanos.getAsLong();
  }
}
