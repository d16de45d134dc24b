package io.delaybridge.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.util.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one intake, the tenant that writes to it, that differ from those of all intakes.
 * A value of null means the setting for all intakes; a limit of 0 means no limit.
 *
 * @param allowedTargets a target must match one of these as a whole
 * @param defaultTarget target of messages that name none
 * @param longestDelay a message that is due later is dead-lettered
 * @param horizon a message that is due later waits in the later topic; 0 if none does
 * @param lap time after which a copy in the later topic is looked at again
 * @param passesUnknown whether a header with the prefix of the bridge and an unknown name is
 *     delivered like any other
 * @param largestValue largest size of a value, in bytes
 * @param pending most messages that wait
 * @param rate most messages per second
 * @param maxMessages most messages of one partition that a turn takes from Redis
 * @param tolerance how much later than due a message may go out so that it goes with others
 */
public record TenantConfig(
    @Nullable List<Pattern> allowedTargets,
    @Nullable String defaultTarget,
    @Nullable Duration longestDelay,
    @Nullable Duration horizon,
    @Nullable Duration lap,
    @Nullable Boolean passesUnknown,
    int largestValue,
    int pending,
    int rate,
    @Nullable Integer maxMessages,
    @Nullable Duration tolerance) {

  /** The tenant of an intake for which nothing is configured. */
  public static final TenantConfig NONE =
      new TenantConfig(null, null, null, null, null, null, 0, 0, 0, null, null);

  private static final int MOST = 1_000_000_000;

  /** Checks each value; {@link IntakeConfig#far} checks a lap against its horizon. */
  @JsonCreator
  public static TenantConfig of(
      @JsonProperty("allowedTargets") @Nullable List<String> allowedTargets,
      @JsonProperty("defaultTarget") @Nullable String defaultTarget,
      @JsonProperty("longestDelay") @Nullable Duration longestDelay,
      @JsonProperty("horizon") @Nullable Duration horizon,
      @JsonProperty("lap") @Nullable Duration lap,
      @JsonProperty("unknownHeaders") @Nullable String unknownHeaders,
      @JsonProperty("largestValue") @Nullable Integer largestValue,
      @JsonProperty("pending") @Nullable Integer pending,
      @JsonProperty("rate") @Nullable Integer rate,
      @JsonProperty("maxMessages") @Nullable Integer maxMessages,
      @JsonProperty("tolerance") @Nullable Duration tolerance) {
    return new TenantConfig(
        allowedTargets == null ? null : Check.patterns("intakes.*.allowedTargets", allowedTargets),
        defaultTarget == null ? null : Check.topic("intakes.*.defaultTarget", defaultTarget),
        longestDelay == null ? null : Check.longestDelay("intakes.*.longestDelay", longestDelay),
        horizon == null ? null : Check.horizon("intakes.*.horizon", horizon),
        lap == null ? null : Check.lap(IntakeConfig.LAP_OF_ONE, lap, Duration.seconds(0)),
        unknownHeaders == null ? null : Check.passes("intakes.*.unknownHeaders", unknownHeaders),
        Check.range("intakes.*.largestValue", largestValue, 0, 0, MOST),
        Check.range("intakes.*.pending", pending, 0, 0, MOST),
        Check.range("intakes.*.rate", rate, 0, 0, MOST),
        maxMessages == null
            ? null
            : Check.range(
                "intakes.*.maxMessages", maxMessages, 1, 1, DeliveryConfig.TurnBounds.MOST),
        tolerance == null ? null : Check.tolerance("intakes.*.tolerance", tolerance));
  }

  /** Returns true if there is a limit that the messages of this intake can exceed. */
  public boolean isLimited() {
    return largestValue > 0 || pending > 0 || rate > 0;
  }
}
