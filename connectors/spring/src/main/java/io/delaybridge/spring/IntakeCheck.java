package io.delaybridge.spring;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Whether requests can reach the intake: it exists, and all its partitions have a leader. The two
 * health indicators, one for each version of Spring Boot, share it.
 *
 * <p>Asks Kafka at most once in {@link #FRESH}, for at most {@link #LIMIT}. Callers in the meantime
 * get the same answer.
 */
final class IntakeCheck implements AutoCloseable {

  static final Duration LIMIT = Duration.ofSeconds(3);
  static final Duration FRESH = Duration.ofSeconds(10);
  static final String CLIENT_ID = "delay-bridge-intake-check";

  private final Supplier<Map<String, Object>> application;
  private final String intake;
  private final InstantSource clock;
  private @Nullable Admin admin;
  private @Nullable Answer last;

  /**
   * The result of a check.
   *
   * @param details for the reader of the health endpoint
   * @param problem null if requests can reach the intake
   */
  record Answer(Instant at, Map<String, Object> details, @Nullable Exception problem) {}

  /** Uses the configuration of the producers that write to the intake, from the first answer on. */
  IntakeCheck(Supplier<Map<String, Object>> application, String intake, InstantSource clock) {
    this.application = application;
    this.intake = intake;
    this.clock = clock;
  }

  synchronized Answer answer() {
    Instant now = clock.instant();
    Answer known = last;
    if (known == null || Duration.between(known.at, now).abs().compareTo(FRESH) >= 0) {
      known = ask(now);
      // Whoever interrupts one caller does not ask for the others.
      last = known.problem instanceof InterruptedException ? null : known;
    }
    return known;
  }

  private Answer ask(Instant now) {
    try {
      List<TopicPartitionInfo> partitions =
          admin().describeTopics(List.of(intake)).allTopicNames().get().values().stream()
              .flatMap(topic -> topic.partitions().stream())
              .toList();
      long leaderless = partitions.stream().filter(each -> each.leader() == null).count();
      return new Answer(
          now,
          Map.of("intake", intake, "partitions", partitions.size()),
          leaderless == 0 ? null : new KafkaException(leaderless + " partitions have no leader"));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      return failed(now, cause instanceof Exception kafka ? kafka : e);
    } catch (KafkaException e) {
      return failed(now, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(now, e);
    }
  }

  private Answer failed(Instant now, Exception problem) {
    return new Answer(now, Map.of("intake", intake), problem);
  }

  /** Not in the constructor: it throws as long as no address of Kafka can be resolved. */
  private Admin admin() {
    if (admin == null) {
      admin = Admin.create(config(application.get()));
    }
    return admin;
  }

  /** Where and how the producers connect, without what only a producer knows. */
  static Map<String, Object> config(Map<String, Object> producer) {
    Map<String, Object> config = new HashMap<>(producer);
    config
        .keySet()
        .removeIf(
            key ->
                ProducerConfig.configNames().contains(key)
                    && !AdminClientConfig.configNames().contains(key));
    int limit = (int) LIMIT.toMillis();
    config.put(AdminClientConfig.CLIENT_ID_CONFIG, CLIENT_ID);
    config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, limit);
    config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, limit);
    return config;
  }

  /** Waits for no answer. */
  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
