package io.delaybridge.deadletter.index;

import org.jspecify.annotations.Nullable;

/**
 * The status of the index.
 *
 * @param problem why it is down, null if it is not
 * @param letters dead letters that it has
 * @param marks dead letters that something was done about
 * @param skipped records of both topics that it could not read
 * @param evicted dead letters that it had to forget because there were too many
 */
public record IndexStatus(
    State state, @Nullable String problem, int letters, int marks, long skipped, long evicted) {

  /** The state of the index. */
  public enum State {
    /** It reads the topics from their beginning and cannot answer yet. */
    STARTING,
    /** It answers. */
    RUNNING,
    /** It failed and tries again in a while. */
    DOWN
  }
}
