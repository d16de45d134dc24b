package io.delaybridge.stack;

/**
 * One server and what can happen to it. Data and address stay the same over any sequence of these
 * verbs. Not for use by several threads at once.
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

  /** Lets a frozen server go on (SIGCONT). */
  void resume();

  /**
   * Ends the server in good order (SIGTERM), and by force if that takes too long. Does nothing if
   * it does not run; a frozen server is thawed first.
   */
  void stop();

  /** Whether the server runs; a frozen one does. */
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
