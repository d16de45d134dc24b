package io.delaybridge.deadletter.letters;

/** The index cannot answer now: it is being read, or Kafka is away. Delivery goes on. */
public final class IndexUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Takes what keeps it from answering. */
  public IndexUnavailableException(String message) {
    super(message);
  }

  /** Takes what keeps it from answering, and what that comes from. */
  public IndexUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
