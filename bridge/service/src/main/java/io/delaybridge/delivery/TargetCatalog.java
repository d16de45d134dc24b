package io.delaybridge.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what the loops know about the target topics, so that a send never has to find it out.
 * Shared by all loops of a process; safe for use by many threads.
 */
public final class TargetCatalog {

  private static final Logger LOG = LoggerFactory.getLogger(TargetCatalog.class);
  private static final int MANY = 10_000;
  private static final Duration FRESH = Duration.ofSeconds(30);

  /** The producer forgets a topic that is not used for this long, and a send would wait for it. */
  private static final Duration TRUSTED = Duration.ofMinutes(5);

  private static final Duration ANSWER_EXPECTED = Duration.ofSeconds(5);
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

  /**
   * Refreshes what is known about the topics, all in one request. Waits for topics that are not
   * known, were faulty or were not needed for long. A topic that could be written to is only
   * checked in the background, so that a message for it is not late because of the check.
   */
  public void refresh(Collection<String> topics) throws KafkaNotReadyException {
    long now = nanos.getAsLong();
    List<String> needed = new ArrayList<>();
    List<String> aging = new ArrayList<>();
    for (String topic : new LinkedHashSet<>(topics)) {
      Known entry = known.get(topic);
      if (entry == null || (entry.isStale(now) && !entry.isTrusted(now))) {
        needed.add(topic);
      } else if (entry.isStale(now)) {
        aging.add(topic);
        known.put(topic, entry.until(now + ANSWER_EXPECTED.toNanos()));
      }
    }
    if (known.size() > MANY) {
      // Producers can name any number of targets. An entry that another loop may be using stays.
      known.values().removeIf(entry -> entry.isStale(now - FRESH.toNanos()));
    }
    CompletableFuture<?> later = ask(aging);
    await(ask(needed));
    var unused =
        later.whenComplete(
            (nothing, failure) -> {
              if (failure != null) {
                LOG.debug("Kafka did not describe {}: {}", aging, failure.toString());
              }
            });
  }

  /** Returns what {@link #refresh} last learned; the topic must have been part of one. */
  public Target get(String topic) {
    Known entry = known.get(topic);
    if (entry == null) {
      throw new IllegalStateException("no state was asked for of topic " + topic);
    }
    return entry.target;
  }

  /**
   * Marks a topic as not fresh any more after a send to it failed. The entry stays for other loops
   * that have asked about the topic and not yet decided.
   */
  public void invalidate(String topic) {
    long past = nanos.getAsLong() - 1;
    known.computeIfPresent(topic, (name, entry) -> new Known(entry.target, past, true));
  }

  /**
   * Marks a topic as not fresh any more if it did not have this partition when it was last
   * described. It may have been given more since. Has no effect within a second of that.
   */
  public void expect(String topic, int partition) {
    long now = nanos.getAsLong();
    known.computeIfPresent(
        topic,
        (name, entry) ->
            entry.lacks(partition) && entry.isStale(now + FRESH.minus(FRESH_IF_FAULTY).toNanos())
                ? new Known(entry.target, now - 1, true)
                : entry);
  }

  private CompletableFuture<?> ask(List<String> topics) {
    if (topics.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    Map<String, KafkaFuture<TopicDescription>> descriptions =
        admin
            .describeTopics(topics, new DescribeTopicsOptions().timeoutMs(timeoutMillis))
            .topicNameValues();
    Map<ConfigResource, KafkaFuture<Config>> configs =
        admin
            .describeConfigs(
                topics.stream().map(TargetCatalog::resource).toList(),
                new DescribeConfigsOptions().timeoutMs(timeoutMillis))
            .values();
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (String topic : topics) {
      // A client that may write to a topic may not always read its configuration.
      CompletableFuture<Config> config =
          future(configs.get(resource(topic))).exceptionally(failure -> new Config(List.of()));
      answers.add(
          future(descriptions.get(topic))
              .thenCombine(config, TargetCatalog::target)
              .exceptionally(TargetCatalog::faulty)
              .thenAccept(target -> learn(topic, target)));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new));
  }

  private static <T> CompletableFuture<T> future(@Nullable KafkaFuture<T> answer) {
    return answer == null
        ? CompletableFuture.failedFuture(new IllegalStateException("Kafka left a topic out"))
        : answer.toCompletionStage().toCompletableFuture();
  }

  private void learn(String topic, Target target) {
    Duration fresh = target instanceof Target.Available ? FRESH : FRESH_IF_FAULTY;
    known.put(topic, new Known(target, nanos.getAsLong() + fresh.toNanos()));
  }

  private static void await(CompletableFuture<?> answers) throws KafkaNotReadyException {
    try {
      answers.get();
    } catch (ExecutionException e) {
      throw new KafkaNotReadyException(cause(e));
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean wrapper =
        failure instanceof ExecutionException || failure instanceof CompletionException;
    return wrapper && cause != null ? cause(cause) : failure;
  }

  private static Target target(TopicDescription description, Config config) {
    int needed = setting(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, 1);
    for (TopicPartitionInfo partition : description.partitions()) {
      String name = "partition %d of '%s'".formatted(partition.partition(), description.name());
      if (partition.leader() == null || partition.leader().isEmpty()) {
        return new Target.Unavailable(name + " has no leader");
      }
      // Counted as a broker does: no more than there are.
      int atLeast = Math.min(needed, partition.replicas().size());
      int inSync = partition.isr().size();
      if (inSync < atLeast) {
        return new Target.Unavailable(
            "%s has %d in-sync replicas and needs %d".formatted(name, inSync, atLeast));
      }
    }
    return new Target.Available(
        setting(config, TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.MAX_VALUE),
        description.partitions().size());
  }

  /** Turns a failure into a target; rethrows a failure that says nothing about the topic. */
  private static Target faulty(Throwable failure) {
    Throwable cause = cause(failure);
    if (cause instanceof UnknownTopicOrPartitionException
        || cause instanceof InvalidTopicException) {
      return new Target.Missing();
    }
    if (cause instanceof TopicAuthorizationException) {
      return new Target.Unauthorized();
    }
    throw new CompletionException(cause);
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  private static int setting(Config config, String name, int otherwise) {
    ConfigEntry entry = config.get(name);
    return entry == null ? otherwise : Integer.parseInt(entry.value());
  }

  /**
   * @param until monotonic nanoseconds after which the target is to be looked up again
   * @param failed whether a send failed since the target was learned, so that it must not be relied
   *     on
   */
  private record Known(Target target, long until, boolean failed) {

    Known(Target target, long until) {
      this(target, until, false);
    }

    boolean lacks(int partition) {
      return target instanceof Target.Available it && partition >= it.partitions();
    }

    boolean isStale(long now) {
      return now - until > 0;
    }

    boolean isTrusted(long now) {
      return !failed && target instanceof Target.Available && !isStale(now - TRUSTED.toNanos());
    }

    Known until(long later) {
      return new Known(target, later, failed);
    }
  }
}
