package io.delaybridge.shard;

import io.delaybridge.store.StoreException;

/**
 * Thrown if the group has taken this loop out and its store does not answer: it can be of no use
 * there.
 */
final class ExpelledException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ExpelledException(StoreException cause) {
    super("the group has removed it, and it waits for Redis before it joins again", cause);
  }
}
