package io.delaybridge.store;

import java.util.Map;

/**
 * Where the processes of a group leave signs of life and see those of the others. It may be emptied
 * at any time. For use by one thread; methods block, and throw {@link StoreException} if the store
 * does not answer.
 */
public interface PeerBoard {

  /**
   * Leaves a sign in the place of the last one.
   *
   * @return the signs of all processes, the own one included
   */
  Map<String, String> sign(String process, String sign);

  /** Takes the sign of a process away. */
  void remove(String process);
}
