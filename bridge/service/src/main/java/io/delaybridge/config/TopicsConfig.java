package io.delaybridge.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.util.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The topics of the bridge itself.
 *
 * @param create whether missing topics are created at start
 * @param partitions number of partitions of an intake topic that is created
 * @param replicationFactor replication factor of a topic that is created, -1 for the broker's
 *     default
 * @param outage how long Redis or the bridge may be away without losing anything; the retention of
 *     an intake topic must cover this and the longest delay
 * @param strict whether the bridge refuses to start when an existing topic breaks these rules
 */
public record TopicsConfig(
    boolean create, int partitions, int replicationFactor, Duration outage, boolean strict) {

  /** Defaults and checks. */
  @JsonCreator
  public static TopicsConfig of(
      @JsonProperty("create") @Nullable Boolean create,
      @JsonProperty("partitions") @Nullable Integer partitions,
      @JsonProperty("replicationFactor") @Nullable Integer replicationFactor,
      @JsonProperty("outage") @Nullable Duration outage,
      @JsonProperty("strict") @Nullable Boolean strict) {
    int replicas = Check.range("topics.replicationFactor", replicationFactor, -1, -1, 32);
    if (replicas == 0) {
      throw Check.wrong("topics.replicationFactor", 0, "-1 or 1 to 32");
    }
    return new TopicsConfig(
        create == null || create,
        Check.range("topics.partitions", partitions, 8, 1, 10_000),
        replicas,
        Check.range(
            "topics.outage", outage, Duration.days(3), Duration.minutes(1), Duration.days(3650)),
        strict == null || strict);
  }
}
