package io.delaybridge.shard;

import java.util.List;

/** Says how a simulation goes on wherever it may go on in several ways. */
interface Chance {

  /** One of 0 to bound - 1; 0 is what happens if nothing special does. */
  int below(int bound);

  /** True once in so many times. */
  default boolean oneIn(int times) {
    return below(times) == 1;
  }

  /** One of them. */
  default <T> T of(List<T> choices) {
    return choices.get(below(choices.size()));
  }
}
