package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import org.jspecify.annotations.Nullable;

/**
 * The state of a shard after a turn.
 *
 * @param problem why it does not run, or null
 * @param pending messages in the store
 * @param overdue pending messages that were due and not yet delivered
 * @param nextDue when the first pending message can be delivered, epoch milliseconds: its due time,
 *     or when it was written if that was later; {@link Long#MAX_VALUE} if there is none
 * @param next intake offset up to which everything is stored
 * @param rebuilding whether the store is fed again from the intake, and nothing is delivered
 * @param paused whether an operator has stopped its delivery
 * @param later messages that wait in the later topic; they are not among the pending ones
 * @param checkpoint what is settled, or null as long as nothing is known
 */
public record ShardStatus(
    ShardId shard,
    State state,
    @Nullable String problem,
    long pending,
    long overdue,
    long nextDue,
    long next,
    boolean rebuilding,
    boolean paused,
    Later later,
    @Nullable Checkpoint checkpoint) {

  /** Whether the shard delivers, unless an operator has paused it. */
  public boolean isOpen() {
    return state.isOpen();
  }

  /**
   * The messages that wait in the later topic.
   *
   * @param copies number of messages; some of them may have been cancelled or replaced
   * @param lapEnds when the lap of the first one ends, from when on it can be judged, epoch
   *     milliseconds; {@link Long#MAX_VALUE} if there is none
   */
  public record Later(long copies, long lapEnds) {

    /** Nothing waits there. */
    public static final Later NONE = new Later(0, Long.MAX_VALUE);
  }

  /** The life of a shard in a loop. */
  public enum State {
    /** Assigned; its checkpoint and its keys are not read yet, or have to be read again. */
    CLOSED,
    /** Runs. */
    OPEN,
    /** Runs, but takes in nothing new for the time being. */
    PAUSED,
    /** Needs an operator; nothing is skipped meanwhile. */
    STOPPED;

    /** Whether the shard runs. */
    boolean isOpen() {
      return this == OPEN || this == PAUSED;
    }
  }
}
