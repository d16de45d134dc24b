package io.delaybridge.delivery;

/**
 * Thrown when no broker answers, so that nothing can be published for now. The caller waits,
 * diverts nothing and counts no attempt.
 */
public final class KafkaNotReadyException extends Exception {

  private static final long serialVersionUID = 1;

  /** Keeps what the client reported. */
  public KafkaNotReadyException(Throwable cause) {
    super("Kafka does not answer: " + cause.getMessage(), cause);
  }
}
