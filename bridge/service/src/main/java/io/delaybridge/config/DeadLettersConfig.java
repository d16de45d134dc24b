package io.delaybridge.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.util.Duration;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the index of dead letters, of replays and of alerts.
 *
 * @param enabled whether they are indexed at all
 * @param maxIndexed most dead letters in the index; the newest are kept
 * @param maxReplays most replays of a message; a message that was replayed this often is not
 *     replayed again
 * @param alert when to send an alert
 */
public record DeadLettersConfig(boolean enabled, int maxIndexed, int maxReplays, Alert alert) {

  /**
   * @param threshold number of dead letters with the same reason within the window; 0 for no alerts
   * @param window period over which dead letters are counted
   * @param cooldown pause after an alert, for its reason
   * @param webhook where to post the alert, or null to log it only
   */
  public record Alert(int threshold, Duration window, Duration cooldown, @Nullable URI webhook) {

    /** Defaults and checks. */
    @JsonCreator
    public static Alert of(
        @JsonProperty("threshold") @Nullable Integer threshold,
        @JsonProperty("window") @Nullable Duration window,
        @JsonProperty("cooldown") @Nullable Duration cooldown,
        @JsonProperty("webhook") @Nullable String webhook) {
      return new Alert(
          Check.range("deadLetters.alert.threshold", threshold, 10, 0, 10_000),
          Check.range(
              "deadLetters.alert.window",
              window,
              Duration.minutes(1),
              Duration.seconds(1),
              Duration.days(1)),
          Check.range(
              "deadLetters.alert.cooldown",
              cooldown,
              Duration.minutes(15),
              Duration.seconds(1),
              Duration.days(7)),
          webhook == null || webhook.isBlank() ? null : uri(webhook.strip()));
    }

    private static URI uri(String text) {
      try {
        URI uri = new URI(text);
        if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
            && uri.getHost() != null) {
          return uri;
        }
      } catch (URISyntaxException e) {
        // The cause is left out: like the value, it may hold a secret.
      }
      throw new IllegalArgumentException(
          "deadLetters.alert.webhook is not valid, allowed: http:// or https:// with a host, or"
              + " empty");
    }

    @Override
    public String toString() {
      return "Alert[threshold=%d, window=%s, cooldown=%s]".formatted(threshold, window, cooldown);
    }
  }

  /** Defaults and checks. */
  @JsonCreator
  public static DeadLettersConfig of(
      @JsonProperty("enabled") @Nullable Boolean enabled,
      @JsonProperty("maxIndexed") @Nullable Integer maxIndexed,
      @JsonProperty("maxReplays") @Nullable Integer maxReplays,
      @JsonProperty("alert") @Nullable Alert alert) {
    return new DeadLettersConfig(
        enabled == null || enabled,
        Check.range("deadLetters.maxIndexed", maxIndexed, 100_000, 1, 10_000_000),
        Check.range("deadLetters.maxReplays", maxReplays, 3, 1, 100),
        alert == null ? Alert.of(null, null, null, null) : alert);
  }
}
