package io.delaybridge;

import io.delaybridge.config.TopicsConfig;
import io.delaybridge.schemas.DelayTopics;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures, before anything runs, that the topics of the bridge exist and keep their records long
 * enough, and that the broker keeps the checkpoints as long as the records they refer to.
 */
final class TopicSetup {

  private static final Logger LOG = LoggerFactory.getLogger(TopicSetup.class);
  private static final short TRANSACTIONS_V2 = 2;
  private static final int LOOKS = 30;
  private static final long LOOK_AGAIN_MS = 100;
  private static final TopicDescription NOTHING = new TopicDescription("", false, List.of());
  private static final Config NO_CONFIG = new Config(List.of());

  private final Admin admin;
  private final TopicsConfig config;
  private final String deadLetterTopic;
  private final Set<String> compacted;
  private final Map<String, Duration> needed;
  private final Set<String> created = new HashSet<>();
  private final Set<String> wereMissing = new HashSet<>();

  /** The topics that existed when Kafka was last asked. */
  private Set<String> existing = Set.of();

  /**
   * @param compacted topics that are not needed to deliver
   * @param longestStays how long a record of each intake and each later topic may be needed
   */
  TopicSetup(
      Admin admin,
      TopicsConfig config,
      String deadLetterTopic,
      Set<String> compacted,
      Map<String, Duration> longestStays) {
    this.admin = admin;
    this.config = config;
    this.deadLetterTopic = deadLetterTopic;
    this.compacted = compacted;
    // Whole minutes, so that the number looks like one that a person would choose.
    this.needed =
        longestStays.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    stay ->
                        stay.getValue()
                            .plus(config.outage().toJavaDuration())
                            .plusMinutes(1)
                            .truncatedTo(ChronoUnit.MINUTES)));
  }

  /**
   * Creates missing topics and checks the rules. Throws IllegalStateException with every fault that
   * was found, if the rules are strict. A topic that is not needed to deliver has no faults here:
   * the part that uses it reports them.
   */
  void run() throws ExecutionException, InterruptedException {
    createMissing();
    List<String> faults = faults();
    if (!faults.isEmpty()) {
      String text = String.join("; ", faults);
      if (config.strict()) {
        throw new IllegalStateException(text + " (to start anyway, set topics.strict to false)");
      }
      LOG.error("Messages may be lost: {}", text);
    }
    warnOfOldBrokers();
  }

  /**
   * Returns those of these intakes that have a later topic, whether they still need one or not.
   * After {@link #run}, every topic that is needed exists, also one that another bridge has created
   * meanwhile.
   */
  Set<String> withLater(Collection<String> intakes) {
    Set<String> with = new HashSet<>(intakes);
    with.removeIf(
        intake -> {
          String later = DelayTopics.laterOf(intake);
          return !existing.contains(later) && !needed.containsKey(later);
        });
    return with;
  }

  /**
   * Adds partitions to a later topic that has fewer than its intake. It needs as many, because a
   * far message stays in the partition in which it came in.
   */
  private void growLater(List<String> faults) throws ExecutionException, InterruptedException {
    for (String intake : needed.keySet()) {
      String later = DelayTopics.laterOf(intake);
      if (existing.contains(later)) {
        int wanted = partitions(intake);
        int has = partitions(later);
        if (has < wanted && !(config.create() && grow(later, wanted))) {
          faults.add(
              "topic %s has %d partitions, needed: %d, as many as %s has"
                  .formatted(later, has, wanted, intake));
        }
      }
    }
  }

  /** The number of partitions for a topic that is created. */
  private int wanted(String topic) throws ExecutionException, InterruptedException {
    for (String intake : needed.keySet()) {
      if (topic.equals(DelayTopics.laterOf(intake)) && existing.contains(intake)) {
        return partitions(intake);
      }
    }
    return config.partitions();
  }

  private boolean grow(String topic, int partitions)
      throws ExecutionException, InterruptedException {
    try {
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions))).all().get();
      LOG.info("Topic {} was extended to {} partitions", topic, partitions);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InvalidPartitionsException) {
        LOG.debug("Another bridge has added the partitions first", e);
        return true;
      }
      if (e.getCause() instanceof RetriableException) {
        throw e;
      }
      LOG.warn("Topic {} cannot get more partitions: {}", topic, String.valueOf(e.getCause()));
      return false;
    }
  }

  private int partitions(String topic) throws ExecutionException, InterruptedException {
    return admin
        .describeTopics(List.of(topic))
        .allTopicNames()
        .get()
        .getOrDefault(topic, NOTHING)
        .partitions()
        .size();
  }

  /**
   * Returns the topics that were missing when {@link #run} asked for them. All that they have is
   * new, also if another bridge has created them.
   */
  Set<String> wereMissing() {
    return Set.copyOf(wereMissing);
  }

  private void createMissing() throws ExecutionException, InterruptedException {
    existing = admin.listTopics().names().get();
    Set<String> missing = missing(existing);
    if (!missing.isEmpty() && !config.create()) {
      throw new IllegalStateException(
          "topics %s do not exist: create them, or set topics.create to true".formatted(missing));
    }
    if (config.create()) {
      missing.addAll(compacted);
      missing.removeAll(existing);
    }
    wereMissing.addAll(missing);
    for (String topic : List.copyOf(missing)) {
      if (!create(topic)) {
        missing.remove(topic);
      }
    }
    // A broker learns of a new topic a moment later; until then the topic would look deleted.
    Set<String> known = existing;
    for (int i = 0; i < LOOKS && !known.containsAll(missing); i++) {
      TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
      known = admin.listTopics().names().get();
    }
  }

  /** As {@link #faults}; a topic that was deleted since the start is also a fault. */
  List<String> faultsSince() throws ExecutionException, InterruptedException {
    existing = admin.listTopics().names().get();
    Set<String> missing = missing(existing);
    return missing.isEmpty()
        ? faults()
        : missing.stream().sorted().map(topic -> "topic %s is gone".formatted(topic)).toList();
  }

  private Set<String> missing(Set<String> existing) {
    Set<String> missing = new HashSet<>(needed.keySet());
    missing.add(deadLetterTopic);
    missing.removeAll(existing);
    return missing;
  }

  /**
   * Returns what could lose or delay messages, one sentence each; the topics must exist. Repairs
   * what it can.
   */
  List<String> faults() throws ExecutionException, InterruptedException {
    List<String> faults = new ArrayList<>();
    // A topic that was created a moment ago is right, and not every broker knows it yet.
    for (String topic : needed.keySet()) {
      if (!created.contains(topic)) {
        checkIntake(topic, faults);
      }
    }
    if (!created.contains(deadLetterTopic)) {
      checkCleanup(deadLetterTopic, faults);
    }
    growLater(faults);
    checkOffsets(faults);
    return faults;
  }

  /** Returns whether it is there now. The bridge can do without a compacted one. */
  private boolean create(String topic) throws ExecutionException, InterruptedException {
    Duration stay = needed.get(topic);
    Optional<Short> replicas =
        config.replicationFactor() < 0
            ? Optional.empty()
            : Optional.of((short) config.replicationFactor());
    // A compacted topic is read in the order in which it was written.
    int partitions = compacted.contains(topic) ? 1 : wanted(topic);
    NewTopic fresh = new NewTopic(topic, Optional.of(partitions), replicas);
    if (compacted.contains(topic)) {
      fresh.configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
    }
    if (stay != null) {
      fresh.configs(
          Map.of(
              TopicConfig.CLEANUP_POLICY_CONFIG,
              TopicConfig.CLEANUP_POLICY_DELETE,
              TopicConfig.RETENTION_MS_CONFIG,
              Long.toString(stay.toMillis()),
              TopicConfig.RETENTION_BYTES_CONFIG,
              "-1"));
    }
    try {
      admin.createTopics(List.of(fresh)).all().get();
      created.add(topic);
      LOG.info("Topic {} was created, partitions: {}", topic, partitions);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) {
        return true;
      }
      if (!compacted.contains(topic) || e.getCause() instanceof RetriableException) {
        throw e;
      }
      LOG.warn("Topic {} cannot be created: {}", topic, String.valueOf(e.getCause()));
      return false;
    }
    return true;
  }

  /** Whether this can be over by itself, as when not all brokers have started yet. */
  static boolean isPassing(ExecutionException failure) {
    return failure.getCause() instanceof RetriableException
        || failure.getCause() instanceof InvalidReplicationFactorException;
  }

  private void checkIntake(String topic, List<String> faults)
      throws ExecutionException, InterruptedException {
    long least = needed.getOrDefault(topic, Duration.ZERO).toMillis();
    Config actual = checkCleanup(topic, faults);
    long retention = Long.parseLong(value(actual, TopicConfig.RETENTION_MS_CONFIG, "-1"));
    if (retention >= 0 && retention < least) {
      faults.add(
          "topic %s has retention.ms %d, needed: at least %d (%s plus topics.outage) or -1"
              .formatted(topic, retention, least, why(topic)));
    }
    String bytes = value(actual, TopicConfig.RETENTION_BYTES_CONFIG, "-1");
    if (!bytes.equals("-1")) {
      faults.add("topic %s has retention.bytes %s, needed: -1".formatted(topic, bytes));
    }
  }

  private static String why(String topic) {
    return topic.endsWith(DelayTopics.LATER_SUFFIX)
        ? "intake.lap"
        : "intake.longestDelay or intake.horizon plus all retries";
  }

  /** A compacted topic forgets messages with equal keys and refuses those without. */
  private Config checkCleanup(String topic, List<String> faults)
      throws ExecutionException, InterruptedException {
    Config actual = describe(new ConfigResource(ConfigResource.Type.TOPIC, topic));
    String cleanup = value(actual, TopicConfig.CLEANUP_POLICY_CONFIG, "delete");
    if (!cleanup.equals(TopicConfig.CLEANUP_POLICY_DELETE)) {
      faults.add("topic %s has cleanup.policy %s, needed: delete".formatted(topic, cleanup));
    }
    return actual;
  }

  private void warnOfOldBrokers() throws ExecutionException, InterruptedException {
    FinalizedVersionRange transactions =
        admin
            .describeFeatures()
            .featureMetadata()
            .get()
            .finalizedFeatures()
            .get("transaction.version");
    if (transactions == null || transactions.maxVersionLevel() < TRANSACTIONS_V2) {
      LOG.warn(
          "The brokers have not enabled transaction.version 2: see the known holes of transactions"
              + " in docs/guarantees.md");
    }
  }

  private void checkOffsets(List<String> faults) throws ExecutionException, InterruptedException {
    Node broker = admin.describeCluster().nodes().get().iterator().next();
    Config actual = describe(new ConfigResource(ConfigResource.Type.BROKER, broker.idString()));
    long minutes = Long.parseLong(value(actual, "offsets.retention.minutes", "10080"));
    if (Duration.ofMinutes(minutes).compareTo(config.outage().toJavaDuration()) < 0) {
      faults.add(
          "the brokers have offsets.retention.minutes %d, needed: at least %d (topics.outage)"
              .formatted(minutes, config.outage().toMinutes()));
    }
  }

  private Config describe(ConfigResource resource) throws ExecutionException, InterruptedException {
    return admin.describeConfigs(List.of(resource)).all().get().getOrDefault(resource, NO_CONFIG);
  }

  private static String value(Config config, String name, String absent) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? absent : entry.value();
  }
}
