package io.delaybridge.spring;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.ErrorHandlingUtils;
import org.springframework.kafka.listener.ExceptionClassifier;
import org.springframework.kafka.support.serializer.DeserializationException;

/** Finds what a listener threw inside the exceptions that Spring Kafka wraps around it. */
final class Failures {

  // The chain of causes may be circular.
  private static final int MOST_CAUSES = 100;

  private Failures() {}

  /** The exception of the listener itself. */
  static Exception unwrapped(@Nullable Exception failure) {
    if (failure == null) {
      return new KafkaException("Spring Kafka gave no exception");
    }
    Exception inner =
        Objects.requireNonNullElse(ErrorHandlingUtils.findRootCause(failure), failure);
    return inner instanceof BatchListenerFailedException
            && inner.getCause() instanceof Exception cause
        ? cause
        : inner;
  }

  /** Whether the failure or one of its causes is of one of these classes. */
  static boolean isAny(Throwable failure, Collection<Class<? extends Throwable>> kinds) {
    return causes(failure)
        .anyMatch(cause -> kinds.stream().anyMatch(kind -> kind.isInstance(cause)));
  }

  /**
   * Failures that Spring Kafka does not retry, because no listener fits. Without the failure to
   * deserialize, which may be that of another record; see {@link Undecoded}.
   */
  static List<Class<? extends Throwable>> neverRetriedBySpring() {
    return ExceptionClassifier.defaultFatalExceptionsList().stream()
        .filter(kind -> kind != DeserializationException.class)
        .toList();
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause).limit(MOST_CAUSES);
  }
}
