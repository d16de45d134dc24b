package io.delaybridge.store;

import io.delaybridge.message.ShardId;

/** The store could not do what was asked; it is not known what it did. */
public class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** A fault of the store as a whole: unreachable, out of memory, loading, read-only. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  private StoreException(String message) {
    super(message);
  }

  /** The shard's keys contradict each other: drop them and rebuild from the intake. */
  public static final class Corrupt extends StoreException {
    private static final long serialVersionUID = 1;

    /** Names the shard and what does not fit. */
    public Corrupt(ShardId shard, String detail) {
      super("the data of shard " + shard + " in Redis is damaged: " + detail);
    }
  }

  /** Somebody else has opened the shard since, or has written to it: open it again. */
  public static final class OtherOwner extends StoreException {
    private static final long serialVersionUID = 1;

    /** Names the shard. */
    public OtherOwner(ShardId shard) {
      super("another bridge has opened shard " + shard + " or has written to it since");
    }
  }

  /** The shard belongs to another topic of the same name, because the intake was created anew. */
  public static final class OtherTopic extends StoreException {
    private static final long serialVersionUID = 1;

    /** Names both topic ids. */
    public OtherTopic(ShardId shard, String stored, String actual) {
      super(
          ("Redis has shard %s of the topic with id %s, but the intake now has id %s; restore the old"
                  + " topic, or remove the checkpoint and the keys in Redis")
              .formatted(shard, stored, actual));
    }
  }
}
