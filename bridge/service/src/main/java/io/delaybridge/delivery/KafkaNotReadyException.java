package io.delaybridge.delivery;

/**
 * No broker answers, so nothing can be published for the time being: wait, divert nothing, count no
 * attempt.
 */
public final class KafkaNotReadyException extends Exception {

  private static final long serialVersionUID = 1;

  /** Keeps what the client reported. */
  public KafkaNotReadyException(Throwable cause) {
    super("Kafka does not answer: " + cause.getMessage(), cause);
  }
}
