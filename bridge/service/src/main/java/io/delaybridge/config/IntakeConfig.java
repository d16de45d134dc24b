package io.delaybridge.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.delaybridge.message.Reading;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.shard.IntakeStart;
import io.delaybridge.shard.LoopSettings;
import io.dropwizard.util.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the intake: what comes in.
 *
 * @param topics the intake topics
 * @param defaultTarget target of messages that name none, or null
 * @param longestDelay a message that is due later is dead-lettered
 * @param horizon a message that is due later waits in the later topic; 0 if none does
 * @param lap time after which a copy in the later topic is looked at again
 * @param start where a partition begins if it has records but nothing is known about it
 * @param passesUnknown whether a header with the prefix of the bridge and an unknown name is
 *     delivered like any other
 * @param reading level of the rules by which new records are read, see {@link Reading}
 * @param skipDeleted whether a shard goes on behind records that were deleted before it read them
 */
public record IntakeConfig(
    List<String> topics,
    @Nullable String defaultTarget,
    Duration longestDelay,
    Duration horizon,
    Duration lap,
    IntakeStart start,
    boolean passesUnknown,
    int reading,
    boolean skipDeleted) {

  static final String LAP_OF_ONE = "intakes.*.lap";

  /** Defaults and checks. */
  @JsonCreator
  public static IntakeConfig of(
      @JsonProperty("topics") @Nullable List<String> topics,
      @JsonProperty("defaultTarget") @Nullable String defaultTarget,
      @JsonProperty("longestDelay") @Nullable Duration longestDelay,
      @JsonProperty("horizon") @Nullable Duration horizon,
      @JsonProperty("lap") @Nullable Duration lap,
      @JsonProperty("start") @Nullable String start,
      @JsonProperty("unknownHeaders") @Nullable String unknownHeaders,
      @JsonProperty("reading") @Nullable Integer reading,
      @JsonProperty("skipDeleted") @Nullable Boolean skipDeleted) {
    List<String> names =
        topics == null ? List.of(DelayTopics.INTAKE) : Check.items("intake.topics", topics);
    if (names.isEmpty()) {
      throw Check.wrong("intake.topics", "[]", "at least one topic");
    }
    names.forEach(name -> Check.topic("intake.topics", name, DelayTopics.LATER_SUFFIX.length()));
    if (Set.copyOf(names).size() < names.size()) {
      throw Check.wrong("intake.topics", names.toString(), "each topic once");
    }
    Duration far = Check.horizon("intake.horizon", horizon);
    boolean none = defaultTarget == null || defaultTarget.isBlank();
    return new IntakeConfig(
        names,
        none ? null : Check.topic("intake.defaultTarget", String.valueOf(defaultTarget)),
        Check.longestDelay("intake.longestDelay", longestDelay),
        far,
        Check.lap("intake.lap", lap, far),
        start(start == null ? "ask" : start),
        unknownHeaders != null && Check.passes("intake.unknownHeaders", unknownHeaders),
        Check.range("intake.reading", reading, Reading.LATEST, 0, Reading.LATEST),
        skipDeleted != null && skipDeleted);
  }

  /**
   * Returns what happens to messages that are due far ahead, for an intake with these settings. An
   * intake with its own horizon has half of that horizon as its lap, unless it has its own lap as
   * well.
   */
  public LoopSettings.Far far(TenantConfig own) {
    Duration most = own.horizon() == null ? horizon : own.horizon();
    Duration each =
        own.horizon() == null && own.lap() == null ? lap : Check.lap(LAP_OF_ONE, own.lap(), most);
    return new LoopSettings.Far(most.toMilliseconds(), each.toMilliseconds());
  }

  private static IntakeStart start(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "ask" -> IntakeStart.ASK;
      case "earliest" -> IntakeStart.EARLIEST;
      case "latest" -> IntakeStart.LATEST;
      default -> throw Check.wrong("intake.start", "'" + text + "'", "ask, earliest or latest");
    };
  }
}
