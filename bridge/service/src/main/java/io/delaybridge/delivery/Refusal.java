package io.delaybridge.delivery;

import io.delaybridge.schemas.Reason;
import java.util.List;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * Kafka's refusal of the record that an earlier turn made from a message; the next turn decides
 * otherwise.
 *
 * @param earlier the decision of that turn
 * @param reason why, as a dead-letter reason
 * @param heals true if the same record may be accepted later
 */
public record Refusal(Decision earlier, Reason reason, String detail, boolean heals) {

  private static final List<Class<? extends Exception>> TOO_LARGE =
      List.of(RecordTooLargeException.class, RecordBatchTooLargeException.class);

  /** Whether the record was too large as it was sent. */
  public static boolean isTooLarge(Exception cause) {
    return TOO_LARGE.stream().anyMatch(type -> type.isInstance(cause));
  }

  /**
   * Whether the failure of a record is its own although it was sent with others. When a record
   * fails a transaction or a batch, the client may fail others with the same exception. Nothing in
   * the exception tells which record caused it, except that a refusal for missing rights names its
   * topics. A time-out condemns no record, because it is about the topic.
   */
  public static boolean isEvidence(String topic, Exception cause) {
    return cause instanceof TimeoutException
        || (cause instanceof TopicAuthorizationException refused
            && refused.unauthorizedTopics().contains(topic));
  }

  /** Reads the failure of one record's future. */
  public static Refusal of(Decision earlier, Exception cause) {
    String detail = cause.getClass().getSimpleName() + ": " + cause.getMessage();
    if (isTooLarge(cause)) {
      return new Refusal(earlier, Reason.RECORD_TOO_LARGE, detail, false);
    }
    if (cause instanceof AuthorizationException) {
      return new Refusal(earlier, Reason.UNAUTHORIZED_TARGET, detail, false);
    }
    if (cause instanceof RetriableException) {
      return new Refusal(earlier, Reason.UNAVAILABLE_TARGET, detail, true);
    }
    return new Refusal(earlier, Reason.REFUSED_BY_TARGET, detail, false);
  }
}
