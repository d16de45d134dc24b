package io.delaybridge.bench.faults;

import java.util.random.RandomGenerator;

/** A kind of fault; each call injects it once. */
@FunctionalInterface
interface Fault<S extends Servers> {

  /**
   * Injects the fault. This call restores the processes that it kills or freezes, or leaves that to
   * a later call, or to {@link Servers#heal} and {@link Fleet#start} at the end of the row.
   *
   * @param random generator with the seed of the run; the only source of randomness
   * @return whether the fault really happened; only then is it counted
   */
  boolean inject(World<S> world, RandomGenerator random);
}
