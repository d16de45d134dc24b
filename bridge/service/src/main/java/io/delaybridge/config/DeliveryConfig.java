package io.delaybridge.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.delaybridge.message.RetryPolicy;
import io.delaybridge.schemas.DelayTopics;
import io.dropwizard.util.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of delivery: what goes out.
 *
 * @param guarantee exactly once or at least once
 * @param loops number of threads, each with a share of the partitions
 * @param turn bounds of one turn
 * @param tolerance how much later than due a message may go out so that it goes with others
 * @param retry when and how often a failed delivery is tried again
 * @param deadLetterTopic topic for messages that cannot be delivered
 * @param checkpointEvery how often a checkpoint follows the intake; with at least once, also how
 *     much may be repeated after a crash
 * @param overdueAlarm the health check fails when the oldest due message waits longer than this
 * @param maxClockSkew nothing is delivered while the clock of this machine is ahead of others by
 *     more than this
 * @param progressTopic topic that watermarks are written to, empty for none
 */
public record DeliveryConfig(
    Guarantee guarantee,
    int loops,
    TurnBounds turn,
    Duration tolerance,
    RetryPolicy retry,
    String deadLetterTopic,
    Duration checkpointEvery,
    Duration overdueAlarm,
    Duration maxClockSkew,
    String progressTopic) {

  /** The guarantee if a process or server dies. */
  public enum Guarantee {
    /** Never lost, never duplicated, for consumers that read committed records. */
    EXACTLY_ONCE,
    /** Never lost; the last seconds may be repeated after a crash. */
    AT_LEAST_ONCE;

    static Guarantee of(String text) {
      return switch (text) {
        case "exactly_once" -> EXACTLY_ONCE;
        case "at_least_once" -> AT_LEAST_ONCE;
        default ->
            throw Check.wrong(
                "delivery.guarantee", "'" + text + "'", "exactly_once or at_least_once");
      };
    }
  }

  /**
   * @param maxMessages most messages of one partition that a turn takes from Redis
   * @param maxBytes stored bytes of one partition after which a turn takes no more
   * @param longest how long a turn may take before it counts as stuck
   */
  public record TurnBounds(int maxMessages, int maxBytes, Duration longest) {

    static final int MOST = 5_000;

    /** Defaults and checks. */
    @JsonCreator
    public static TurnBounds of(
        @JsonProperty("maxMessages") @Nullable Integer maxMessages,
        @JsonProperty("maxBytes") @Nullable Integer maxBytes,
        @JsonProperty("longest") @Nullable Duration longest) {
      return new TurnBounds(
          Check.range("delivery.turn.maxMessages", maxMessages, 1_000, 1, MOST),
          Check.range("delivery.turn.maxBytes", maxBytes, 1 << 20, 1, 64 << 20),
          Check.range(
              "delivery.turn.longest",
              longest,
              Duration.seconds(30),
              Duration.seconds(1),
              Duration.minutes(10)));
    }
  }

  /**
   * @param policy as configured
   */
  public record Retry(RetryPolicy policy) {

    /** Defaults and checks. */
    @JsonCreator
    public static Retry of(
        @JsonProperty("maxAttempts") @Nullable Integer maxAttempts,
        @JsonProperty("firstBackoff") @Nullable Duration firstBackoff,
        @JsonProperty("maxBackoff") @Nullable Duration maxBackoff) {
      Duration day = Duration.days(1);
      Duration first =
          Check.range(
              "delivery.retry.firstBackoff",
              firstBackoff,
              Duration.seconds(1),
              Duration.milliseconds(1),
              day);
      return new Retry(
          new RetryPolicy(
              Check.range(
                  "delivery.retry.maxAttempts", maxAttempts, 16, 1, RetryPolicy.MOST_ATTEMPTS),
              first.toJavaDuration(),
              Check.range("delivery.retry.maxBackoff", maxBackoff, Duration.minutes(10), first, day)
                  .toJavaDuration()));
    }
  }

  /** Defaults and checks. */
  @JsonCreator
  public static DeliveryConfig of(
      @JsonProperty("guarantee") @Nullable String guarantee,
      @JsonProperty("loops") @Nullable Integer loops,
      @JsonProperty("turn") @Nullable TurnBounds turn,
      @JsonProperty("tolerance") @Nullable Duration tolerance,
      @JsonProperty("retry") @Nullable Retry retry,
      @JsonProperty("deadLetterTopic") @Nullable String deadLetterTopic,
      @JsonProperty("checkpointEvery") @Nullable Duration checkpointEvery,
      @JsonProperty("overdueAlarm") @Nullable Duration overdueAlarm,
      @JsonProperty("maxClockSkew") @Nullable Duration maxClockSkew,
      @JsonProperty("progressTopic") @Nullable String progressTopic) {
    Retry retries = retry == null ? Retry.of(null, null, null) : retry;
    return new DeliveryConfig(
        Guarantee.of(guarantee == null ? "exactly_once" : guarantee),
        Check.range("delivery.loops", loops, 2, 1, 64),
        turn == null ? TurnBounds.of(null, null, null) : turn,
        Check.tolerance("delivery.tolerance", tolerance),
        retries.policy(),
        Check.topic(
            "delivery.deadLetterTopic",
            deadLetterTopic == null ? DelayTopics.DEAD_LETTER : deadLetterTopic,
            DelayTopics.MARKS_SUFFIX.length()),
        Check.range(
            "delivery.checkpointEvery",
            checkpointEvery,
            Duration.seconds(3),
            Duration.milliseconds(100),
            Duration.minutes(1)),
        Check.range(
            "delivery.overdueAlarm",
            overdueAlarm,
            Duration.seconds(60),
            Duration.seconds(1),
            Duration.days(1)),
        Check.range(
            "delivery.maxClockSkew",
            maxClockSkew,
            Duration.seconds(5),
            Duration.seconds(1),
            Duration.days(1)),
        progressTopic == null || progressTopic.isEmpty()
            ? ""
            : Check.topic("delivery.progressTopic", progressTopic));
  }
}
