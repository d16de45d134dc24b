package io.delaybridge.delivery;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * What the loops know of the target topics, so that a send never has to find out. Shared by all
 * loops of a process; safe for use by many threads.
 */
public final class TargetCatalog {

  private static final int MANY = 10_000;
  private static final Duration FRESH = Duration.ofSeconds(30);
  private static final Duration FRESH_IF_FAULTY = Duration.ofSeconds(1);

  private final Admin admin;
  private final LongSupplier nanos;
  private final int timeoutMillis;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /**
   * @param nanos monotonic clock
   * @param timeout for one question to Kafka
   */
  public TargetCatalog(Admin admin, LongSupplier nanos, Duration timeout) {
    this.admin = admin;
    this.nanos = nanos;
    this.timeoutMillis = (int) timeout.toMillis();
  }

  /** Asks Kafka about those of the topics of which nothing fresh is known, in one request. */
  public void refresh(Collection<String> topics) throws KafkaNotReadyException {
    long now = nanos.getAsLong();
    List<String> stale =
        topics.stream()
            .distinct()
            .filter(
                topic -> {
                  Known entry = known.get(topic);
                  return entry == null || now - entry.until > 0;
                })
            .toList();
    if (stale.isEmpty()) {
      return;
    }
    if (known.size() > MANY) {
      // Producers can name any number of targets.
      known.values().removeIf(entry -> now - entry.until > 0);
    }
    Map<String, KafkaFuture<TopicDescription>> answers =
        admin
            .describeTopics(stale, new DescribeTopicsOptions().timeoutMs(timeoutMillis))
            .topicNameValues();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> answer : answers.entrySet()) {
      Target target = target(answer.getKey(), answer.getValue());
      Duration fresh = target instanceof Target.Available ? FRESH : FRESH_IF_FAULTY;
      known.put(answer.getKey(), new Known(target, now + fresh.toNanos()));
    }
  }

  /** What {@link #refresh} last learned; the topic must have been part of one. */
  public Target get(String topic) {
    Known entry = known.get(topic);
    if (entry == null) {
      throw new IllegalStateException("nobody has asked about topic " + topic);
    }
    return entry.target;
  }

  /**
   * What is known of the topic is not fresh any more, after a send to it failed. It stays for other
   * loops that have asked about it and not yet decided.
   */
  public void invalidate(String topic) {
    long past = nanos.getAsLong() - 1;
    known.computeIfPresent(topic, (name, entry) -> new Known(entry.target, past));
  }

  private Target target(String topic, KafkaFuture<TopicDescription> answer)
      throws KafkaNotReadyException {
    try {
      TopicDescription description = answer.get();
      OptionalInt leaderless =
          description.partitions().stream()
              .filter(partition -> partition.leader() == null || partition.leader().isEmpty())
              .mapToInt(TopicPartitionInfo::partition)
              .findFirst();
      return leaderless.isPresent()
          ? new Target.Leaderless(leaderless.getAsInt())
          : new Target.Available(maxBytes(topic));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof UnknownTopicOrPartitionException
          || cause instanceof InvalidTopicException) {
        return new Target.Missing();
      }
      if (cause instanceof TopicAuthorizationException) {
        return new Target.Unauthorized();
      }
      throw new KafkaNotReadyException(cause);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** Whoever may write to a topic may not always read its configuration: then there is no limit. */
  private int maxBytes(String topic) throws InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try {
      Config config =
          admin
              .describeConfigs(
                  List.of(resource), new DescribeConfigsOptions().timeoutMs(timeoutMillis))
              .all()
              .get()
              .get(resource);
      ConfigEntry limit = config == null ? null : config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
      return limit == null ? Integer.MAX_VALUE : Integer.parseInt(limit.value());
    } catch (ExecutionException e) {
      return Integer.MAX_VALUE;
    }
  }

  private record Known(Target target, long until) {}
}
