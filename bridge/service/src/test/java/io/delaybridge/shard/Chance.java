package io.delaybridge.shard;

import java.util.List;

/** Chooses how a simulation continues wherever there are several ways. */
interface Chance {

  /** Returns a number from 0 to bound - 1; 0 stands for the normal course. */
  int below(int bound);

  /** Returns true once in that many calls on average. */
  default boolean oneIn(int times) {
    return below(times) == 1;
  }

  /** Returns one of the choices. */
  default <T> T of(List<T> choices) {
    return choices.get(below(choices.size()));
  }
}
