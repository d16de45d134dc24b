package io.delaybridge.spring;

import io.delaybridge.client.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application configures.
 *
 * @param intake Topic of the bridge that requests are written to.
 * @param retry Retries of listeners that failed.
 */
@ConfigurationProperties("delay-bridge")
public record DelayBridgeProperties(
    @DefaultValue("delay-intake") String intake, @DefaultValue Retry retry) {

  /**
   * Retries of listeners that failed.
   *
   * @param enabled Whether a record that a listener failed on is tried again through the bridge.
   *     Holds for all listeners of the default container factory.
   * @param maxAttempts Attempts in all, the first one included: 1 to 100.
   * @param firstDelay Pause after the first failure. It doubles with each further one, give or take
   *     a fifth.
   * @param longestDelay Longest pause. Must not be longer than what the bridge takes, a fifth
   *     included.
   * @param topicSuffix Retries arrive on the topic of the record with this behind its name, which
   *     the listener must read too. Without it, on the topic itself, where every consumer group
   *     gets them.
   * @param deadLetterTopic Where records go that are given up, as the bridge writes its dead
   *     letters. Without it, as Spring Kafka does it, on the topic with -dlt behind its name.
   * @param finalFailures Exceptions that are not tried again, also as the cause of another one.
   *     Those that Spring Kafka does not try again either come on top.
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
     * @throws IllegalArgumentException if no topic could have it
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
