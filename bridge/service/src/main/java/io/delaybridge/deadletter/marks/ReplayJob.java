package io.delaybridge.deadletter.marks;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a replay of many dead letters. Written to the marks as the replay goes on, in its
 * own transactions, so every instance can tell and the numbers are true.
 *
 * @param job its name
 * @param instance the process that runs it
 * @param total how many dead letters matched when it began
 * @param done of these, replayed
 * @param failed of these, not replayed: their content is gone or was refused
 * @param skipped of these, replayed or handled by somebody else meanwhile
 * @param perSecond most replays in a second
 * @param at when this was written, epoch milliseconds
 * @param problem what went wrong last, or null
 */
public record ReplayJob(
    String job,
    String instance,
    State state,
    int total,
    int done,
    int failed,
    int skipped,
    int perSecond,
    long at,
    @Nullable String problem) {

  /** A job that reports nothing for this long, in milliseconds, is not running any more. */
  static final long SILENCE = 60_000;

  /** The state of a job. */
  public enum State {
    /** It goes on. */
    RUNNING,
    /** It has tried all that matched. */
    DONE,
    /** It gave up. Another job can replay what it has not tried. */
    FAILED,
    /** Its instance ended. */
    STOPPED
  }

  /** This job, or the same job as stopped if its instance died without a word. */
  public ReplayJob asOf(long now) {
    return state == State.RUNNING && now - at > SILENCE
        ? new ReplayJob(
            job,
            instance,
            State.STOPPED,
            total,
            done,
            failed,
            skipped,
            perSecond,
            at,
            "instance " + instance + " has not been heard of since")
        : this;
  }
}
