package io.delaybridge.bench.faults;

import java.util.random.RandomGenerator;

/** Something that goes wrong, once. */
@FunctionalInterface
interface Fault<S extends Servers> {

  /**
   * Makes it happen. Whoever was killed or frozen is brought back in here, or by a later call, or
   * by {@link Servers#heal} and the end of the row.
   *
   * @param random of the seed; the only source of chance
   * @return whether it really happened; only then it is counted
   */
  boolean inject(World<S> world, RandomGenerator random);
}
