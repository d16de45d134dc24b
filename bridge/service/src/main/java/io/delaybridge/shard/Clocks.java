package io.delaybridge.shard;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time, twice: due times go by the wall clock, intervals by a clock that never jumps.
 *
 * @param wall wall clock
 * @param nanos monotonic clock, nanoseconds from an arbitrary origin
 */
public record Clocks(InstantSource wall, LongSupplier nanos) {

  /** The clocks of this machine. */
  public static Clocks system() {
    return new Clocks(InstantSource.system(), System::nanoTime);
  }

  long now() {
    return wall.millis();
  }

  long nanoTime() {
    return nanos.getAsLong();
  }
}
