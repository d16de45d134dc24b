package io.delaybridge.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * How far the replay of many dead letters is. Written to the marks as it goes on, in the
 * transactions of the replay itself, so every instance can tell and the numbers are true.
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

  /** A job that says nothing for so long is not running any more, in milliseconds. */
  static final long SILENCE = 60_000;

  /** What it is doing. */
  public enum State {
    /** It goes on. */
    RUNNING,
    /** It has tried all that matched. */
    DONE,
    /** It gave up; what it has not tried can be replayed by another job. */
    FAILED,
    /** Its instance ended. */
    STOPPED
  }

  /** This, or the same as stopped if its instance died without a word. */
  ReplayJob asOf(long now) {
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
