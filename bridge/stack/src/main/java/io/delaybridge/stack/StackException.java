package io.delaybridge.stack;

import org.jspecify.annotations.Nullable;

/** A server could not be started, reached or ended; the message says which one and what to do. */
public final class StackException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public StackException(String message) {
    super(message);
  }

  public StackException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Returns the exception for an interrupted wait. Sets the interrupt status again for the caller.
   */
  static StackException interrupted(String waitingFor, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new StackException("Interrupted while waiting for " + waitingFor + ".", cause);
  }
}
