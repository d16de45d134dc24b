package io.delaybridge.spring;

import io.delaybridge.client.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The configuration properties of an application.
 *
 * @param intake Topic of the bridge to which requests are written.
 * @param retry Retries of listeners that failed.
 */
@ConfigurationProperties("delay-bridge")
public record DelayBridgeProperties(
    @DefaultValue("delay-intake") String intake, @DefaultValue Retry retry) {

  /**
   * Retries of listeners that failed.
   *
   * @param enabled Whether a record that a listener failed on is retried through the bridge.
   *     Applies to all listeners of the default container factory.
   * @param maxAttempts Number of attempts in all, including the first: 1 to 100.
   * @param firstDelay Pause after the first failure. It doubles with each further failure, plus or
   *     minus a fifth.
   * @param longestDelay Longest pause. With a fifth added, it must not exceed what the bridge
   *     accepts.
   * @param topicSuffix Suffix of the topic on which retries arrive. It is added to the topic of the
   *     record, and the listener must read that topic too. Without it, retries arrive on the topic
   *     itself, where every consumer group gets them.
   * @param deadLetterTopic Topic for records that are given up, written as the bridge writes its
   *     dead letters. Without it, they go to the topic with the suffix -dlt, as Spring Kafka does
   *     it.
   * @param finalFailures Exceptions that are not retried, also as the cause of another one. Those
   *     that Spring Kafka does not retry either are added.
   */
  public record Retry(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("8") int maxAttempts,
      @DefaultValue("5s") Duration firstDelay,
      @DefaultValue("10m") Duration longestDelay,
      @Nullable String topicSuffix,
      @Nullable String deadLetterTopic,
      @DefaultValue List<Class<? extends Throwable>> finalFailures) {

    private static final Pattern SUFFIX = Pattern.compile("[a-zA-Z0-9._-]+");

    /**
     * Checks the suffix.
     *
     * @throws IllegalArgumentException if no topic could have this suffix
     */
    public Retry {
      if (topicSuffix != null && !SUFFIX.matcher(topicSuffix).matches()) {
        throw new IllegalArgumentException(
            "delay-bridge.retry.topic-suffix is '"
                + topicSuffix
                + "', allowed: letters, digits, '.', '_' and '-'");
      }
      finalFailures = List.copyOf(finalFailures);
    }

    Backoff backoff() {
      return new Backoff(maxAttempts, firstDelay, longestDelay);
    }

    String topicOf(String topic) {
      return topicSuffix == null || topic.endsWith(topicSuffix) ? topic : topic + topicSuffix;
    }
  }
}
