package io.delaybridge.delivery;

/**
 * Nothing can be published for the time being: no broker answers, or there is no dead-letter topic.
 * Wait, divert nothing, count no attempt.
 */
public final class KafkaNotReadyException extends Exception {

  private static final long serialVersionUID = 1;

  /** Keeps what the client reported. */
  public KafkaNotReadyException(Throwable cause) {
    super("Kafka does not answer: " + cause.getMessage(), cause);
  }

  /** Says what is missing. */
  public KafkaNotReadyException(String message) {
    super(message);
  }
}
