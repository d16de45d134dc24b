package io.delaybridge.shard;

import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The time, by two clocks, and a way to let it pass. Due times go by the wall clock, intervals by a
 * clock that never jumps.
 *
 * @param wall wall clock
 * @param nanos monotonic clock, nanoseconds from an arbitrary origin
 * @param pause waits for this many nanoseconds, or less
 * @param ahead whether the wall clock is known to be ahead: then nothing may go out
 */
public record Clocks(
    InstantSource wall, LongSupplier nanos, LongConsumer pause, BooleanSupplier ahead) {

  /** The clocks of this machine. */
  public static Clocks system() {
    return of(InstantSource.system(), () -> false);
  }

  /** The clocks of this machine, with this one for the wall clock. */
  public static Clocks of(InstantSource wall, BooleanSupplier ahead) {
    return new Clocks(wall, System::nanoTime, LockSupport::parkNanos, ahead);
  }

  boolean isAhead() {
    return ahead.getAsBoolean();
  }

  long now() {
    return wall.millis();
  }

  long nanoTime() {
    return nanos.getAsLong();
  }
}
