package io.delaybridge.connect.callback;

/**
 * A record in progress.
 *
 * @param progress of its partition
 */
record Item(CallbackRecord record, Progress progress) {

  /** Returns true if its partition was taken away, so that no new work should begin for it. */
  boolean isAbandoned() {
    return progress.isClosed();
  }
}
