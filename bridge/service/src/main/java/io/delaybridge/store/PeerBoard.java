package io.delaybridge.store;

import java.util.Map;
import java.util.OptionalLong;

/**
 * Holds the signs of life of the processes of a group, where each process sees those of the others.
 * It may be emptied at any time. For use by one thread. Methods block, and throw {@link
 * StoreException} if the store does not answer.
 */
public interface PeerBoard {

  /**
   * Leaves a sign of this process in place of its last one.
   *
   * @return the signs of all processes, including the own one
   */
  Map<String, String> sign(String process, String sign);

  /** The time of the store, epoch milliseconds; empty if it does not tell. */
  OptionalLong time();

  /** Removes the sign of a process. */
  void remove(String process);
}
