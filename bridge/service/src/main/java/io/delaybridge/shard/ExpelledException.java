package io.delaybridge.shard;

import io.delaybridge.store.StoreException;

/**
 * Thrown if the group has taken this loop out and its store does not answer: it can be of no use
 * there.
 */
final class ExpelledException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ExpelledException(StoreException cause) {
    super("it was taken out of the group, and joins again when the store answers", cause);
  }
}
