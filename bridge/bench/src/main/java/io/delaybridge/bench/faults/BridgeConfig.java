package io.delaybridge.bench.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The configuration file of the bridges. Session time-outs, transaction time-outs and checkpoint
 * intervals are short, so that many faults fit into a run. Turns are small, to keep the bounds on
 * duplicates small.
 */
final class BridgeConfig {

  static final String INTAKE = "delay-intake";
  static final String DEAD_LETTERS = "delay-deadletter";
  static final String GROUP = "delay-bridge";
  static final String PREFIX = "delay";
  static final int MAX_MESSAGES = 200;
  static final int MAX_POLL = 500;

  /** The default of {@code delivery.loops}. */
  static final int LOOPS = 2;

  static final long CHECKPOINT_MS = 1_000;

  /** The time after which the group reassigns the partitions of a silent bridge. */
  static final long SESSION_MS = 4_000;

  /** The default of {@code delivery.maxClockSkew}. */
  static final long MAX_CLOCK_SKEW_MS = 5_000;

  private static final String TRANSACTION_MS = "4000";

  private BridgeConfig() {}

  /**
   * Writes the file.
   *
   * @param settings dotted keys that are added or replaced
   */
  static Path write(
      Path dir,
      Servers servers,
      Guarantee guarantee,
      int partitions,
      Map<String, String> settings) {
    Map<String, String> all = defaults(servers, guarantee, partitions);
    all.putAll(settings);
    StringBuilder yml = new StringBuilder();
    section(yml, "", all);
    try {
      Files.createDirectories(dir);
      return Files.writeString(dir.resolve("config.yml"), yml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> defaults(
      Servers servers, Guarantee guarantee, int partitions) {
    Map<String, String> all = new TreeMap<>();
    all.put("kafka.bootstrapServers", "'" + servers.kafkaOfBridges() + "'");
    all.put("kafka.groupId", GROUP);
    all.put(
        "kafka.consumer",
        "{session.timeout.ms: %d, heartbeat.interval.ms: 500, max.poll.records: %d}"
            .formatted(SESSION_MS, MAX_POLL));
    all.put("kafka.producer", "{transaction.timeout.ms: " + TRANSACTION_MS + "}");
    all.put("intake.topics", "[" + INTAKE + "]");
    all.put("targets.allowed", "['.*']");
    all.put("delivery.guarantee", guarantee.key());
    all.put("delivery.deadLetterTopic", DEAD_LETTERS);
    all.put("delivery.checkpointEvery", CHECKPOINT_MS + "ms");
    all.put("delivery.turn", "{maxMessages: " + MAX_MESSAGES + "}");
    all.put("delivery.retry", "{firstBackoff: 300ms}");
    all.put("redis.uri", "'" + servers.redisOfBridges() + "'");
    all.put("redis.cluster", Boolean.toString(servers.isRedisCluster()));
    all.put("redis.prefix", PREFIX);
    all.put("topics.partitions", Integer.toString(partitions));
    all.put("deadLetters.enabled", "false");
    all.put(
        "server.applicationConnectors",
        "[{type: http, bindHost: 127.0.0.1, port: \"${HTTP_PORT}\"}]");
    all.put(
        "server.adminConnectors", "[{type: http, bindHost: 127.0.0.1, port: \"${ADMIN_PORT}\"}]");
    all.put("server.requestLog", "{appenders: []}");
    all.put(
        "logging.loggers",
        "{org.apache.kafka: WARN, org.eclipse.jetty: WARN, io.dropwizard: WARN}");
    return all;
  }

  /** Appends the settings: keys of two levels, with each value on one line. */
  private static void section(StringBuilder yml, String open, Map<String, String> sorted) {
    String section = open;
    for (Map.Entry<String, String> line : sorted.entrySet()) {
      String[] key = line.getKey().split("\\.", 2);
      if (!key[0].equals(section)) {
        section = key[0];
        yml.append(section).append(":\n");
      }
      yml.append("  ").append(key[1]).append(": ").append(line.getValue()).append('\n');
    }
  }
}
