package io.delaybridge.store;

import java.util.List;

/**
 * Short texts that instances leave for each other. They may be lost at any time. Safe for use by
 * many threads; methods block and throw {@link StoreException} if the store does not answer.
 */
public interface NoticeBoard {

  /**
   * Puts up the notice of this author in place of its last one.
   *
   * @param olderThan epoch milliseconds: notices from before are taken down
   */
  void put(String author, String text, long olderThan);

  /** All that are up. */
  List<String> all();
}
