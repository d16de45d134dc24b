package io.delaybridge.stack;

/**
 * A server and the events that can happen to it. Data and address survive any sequence of these
 * operations. Instances are not thread-safe.
 */
public interface Server extends AutoCloseable {

  /**
   * Starts the server and returns when it answers.
   *
   * @throws StackException if it runs already, its port is taken, or it does not come up
   */
  Server start();

  /** Ends the server at once and without warning (SIGKILL). Does nothing if it does not run. */
  void kill();

  /** Freezes the server (SIGSTOP): connections stay open, nothing answers. */
  void pause();

  /** Resumes a frozen server (SIGCONT). */
  void resume();

  /**
   * Stops the server in an orderly way (SIGTERM), and kills it if that takes too long. Does nothing
   * if it does not run. A frozen server is resumed first.
   */
  void stop();

  /** Returns whether the server runs. A frozen server counts as running. */
  boolean isAlive();

  /** Stops the server if it runs, then starts it. */
  default void restart() {
    stop();
    start();
  }

  /** The same as {@link #stop()}. */
  @Override
  default void close() {
    stop();
  }
}
