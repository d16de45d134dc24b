package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The Kafka settings of one node. A few nodes run on one machine, each as broker and controller.
 *
 * @param nodeId the number of the node, from 1
 * @param voters all controllers as {@code id@host:port}, separated by commas
 * @param more listeners in addition to the plain one, which clients and other brokers use
 * @param replicas the number of nodes, and therefore of replicas of internal topics
 * @param overrides settings in Kafka's server.properties that take precedence
 */
record BrokerSettings(
    int nodeId,
    int port,
    int controllerPort,
    List<Listener> more,
    String voters,
    int replicas,
    Map<String, String> overrides) {

  private static final String PLAIN = "PLAINTEXT";
  private static final String CONTROLLER = "CONTROLLER";

  BrokerSettings {
    more = List.copyOf(more);
    overrides = Map.copyOf(overrides);
  }

  void write(Path file, Path data) {
    Properties all = new Properties();
    all.putAll(node(data));
    all.putAll(small(replicas));
    all.putAll(overrides);
    try (Writer writer = Files.newBufferedWriter(file)) {
      all.store(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> node(Path data) {
    List<Listener> clients = new ArrayList<>();
    clients.add(new Listener(PLAIN, PLAIN, port, port));
    clients.addAll(more);
    List<Listener> all = new ArrayList<>(clients);
    all.add(new Listener(CONTROLLER, PLAIN, controllerPort, controllerPort));
    return Map.of(
        "process.roles",
        "broker,controller",
        "node.id",
        Integer.toString(nodeId),
        "listeners",
        join(all, Listener::bind),
        "advertised.listeners",
        join(clients, Listener::advertise),
        "listener.security.protocol.map",
        join(all, Listener::security),
        "inter.broker.listener.name",
        PLAIN,
        "controller.listener.names",
        CONTROLLER,
        "controller.quorum.voters",
        voters,
        "log.dirs",
        data.toString(),
        "auto.create.topics.enable",
        "false");
  }

  private static String join(List<Listener> listeners, Function<Listener, String> part) {
    return listeners.stream().map(part).collect(Collectors.joining(","));
  }

  /** Returns settings for a fast start, low memory use and quick detection of a lost node. */
  static Map<String, String> small(int replicas) {
    String copies = Integer.toString(replicas);
    String inSync = Integer.toString(Math.max(1, replicas - 1));
    Map<String, String> all = new TreeMap<>();
    all.put("default.replication.factor", copies);
    all.put("min.insync.replicas", inSync);
    all.put("offsets.topic.replication.factor", copies);
    all.put("offsets.topic.num.partitions", "4");
    all.put("transaction.state.log.replication.factor", copies);
    all.put("transaction.state.log.min.isr", inSync);
    all.put("transaction.state.log.num.partitions", "4");
    all.put("share.coordinator.state.topic.replication.factor", copies);
    all.put("share.coordinator.state.topic.min.isr", inSync);
    all.put("group.initial.rebalance.delay.ms", "0");
    all.put("broker.heartbeat.interval.ms", "500");
    all.put("broker.session.timeout.ms", "3000");
    all.put("log.cleaner.dedupe.buffer.size", "16777216");
    return all;
  }
}
