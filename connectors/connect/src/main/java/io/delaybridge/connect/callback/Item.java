package io.delaybridge.connect.callback;

/**
 * A record on its way.
 *
 * @param progress of its partition
 */
record Item(CallbackRecord record, Progress progress) {

  /** Whether its partition was taken away, so that nothing should be begun for it any more. */
  boolean isAbandoned() {
    return progress.isClosed();
  }
}
