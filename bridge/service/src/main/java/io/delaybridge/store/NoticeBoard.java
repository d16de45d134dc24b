package io.delaybridge.store;

import java.util.List;

/**
 * Holds short texts that instances leave for each other. They may be lost at any time. Safe for use
 * by many threads. Methods block, and throw {@link StoreException} if the store does not answer.
 */
public interface NoticeBoard {

  /**
   * Puts up the notice of this author in place of its last one.
   *
   * @param olderThan epoch milliseconds; removes notices from before this time
   */
  void put(String author, String text, long olderThan);

  /** Returns all notices. */
  List<String> all();
}
