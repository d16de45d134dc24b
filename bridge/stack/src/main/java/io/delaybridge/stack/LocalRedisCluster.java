package io.delaybridge.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis Cluster of several masters without replicas, each with a share of the slots, in {@code
 * node-1}, {@code node-2}, ... of one directory.
 */
public final class LocalRedisCluster implements AutoCloseable {

  private static final int SLOTS = 16_384;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int KEYS_AT_ONCE = 100;
  private static final String MIGRATE_LIMIT_MS = "10000";

  private final List<LocalRedis> nodes = new ArrayList<>();

  private LocalRedisCluster() {}

  /** Returns a cluster of this many masters. Failure detection needs at least 3. */
  public static LocalRedisCluster at(Path dir, int size) {
    LocalRedisCluster cluster = new LocalRedisCluster();
    for (int id = 1; id <= size; id++) {
      cluster.nodes.add(node(dir.resolve("node-" + id)));
    }
    return cluster;
  }

  /** Returns a node that is in no cluster yet. */
  public static LocalRedis node(Path dir) {
    return LocalRedis.at(dir)
        .port(Ports.freeWithBus())
        .with("cluster-enabled", "yes")
        .with("cluster-node-timeout", "2000");
  }

  /** Sets a line of {@code redis.conf} of every node, from its next start on. */
  public LocalRedisCluster with(String key, String value) {
    nodes.forEach(node -> node.with(key, value));
    return this;
  }

  /** Starts all nodes, joins them into a cluster and waits until they agree. */
  public LocalRedisCluster start() {
    try {
      nodes.forEach(LocalRedis::start);
      for (int i = 0; i < nodes.size(); i++) {
        node(i).command(addSlots(SLOTS * i / nodes.size(), SLOTS * (i + 1) / nodes.size()));
        node(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
      }
      for (LocalRedis other : nodes.subList(1, nodes.size())) {
        node(0).command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()));
      }
      awaitAgreement();
      return this;
    } catch (StackException e) {
      close();
      throw e;
    }
  }

  private static String[] addSlots(int from, int to) {
    return Stream.concat(
            Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(from, to).mapToObj(Integer::toString))
        .toArray(String[]::new);
  }

  /** Waits until every node knows all others and sees all slots served. */
  public void awaitAgreement() {
    String all = "cluster_known_nodes:" + nodes.size();
    if (!Await.until(
        "the Redis Cluster",
        LIMIT,
        () ->
            nodes.stream()
                .map(node -> String.valueOf(node.command("CLUSTER", "INFO")))
                .allMatch(info -> info.contains("cluster_state:ok") && info.contains(all)))) {
      throw new StackException(
          "The Redis Cluster did not form within " + LIMIT.toSeconds() + " s.");
    }
  }

  /** Returns one node, counted from 0. */
  public LocalRedis node(int index) {
    return nodes.get(index);
  }

  /**
   * Returns the address of the first node, {@code redis://host:port}. Clients learn the others from
   * it.
   */
  public String uri() {
    return node(0).uri();
  }

  /** Returns the slot of a key. If the key has a part between braces, only that part counts. */
  public int slot(String key) {
    return Math.toIntExact(
        (Long) Objects.requireNonNull(node(0).command("CLUSTER", "KEYSLOT", key)));
  }

  /** Returns the number of the node that serves a slot, counted from 0. */
  public int owner(int slot) {
    return IntStream.range(0, nodes.size())
        .filter(i -> owns(node(i), slot))
        .findFirst()
        .orElseThrow(() -> new StackException("Nobody serves slot " + slot + "."));
  }

  /**
   * Moves a slot with its keys to another node while clients use it, in the order that the Redis
   * documentation gives.
   */
  public void move(int slot, int to) {
    LocalRedis source = node(owner(slot));
    LocalRedis target = node(to);
    if (source == target) {
      throw new StackException("Slot " + slot + " is on node " + to + " already.");
    }
    String number = Integer.toString(slot);
    target.command("CLUSTER", "SETSLOT", number, "IMPORTING", id(source));
    source.command("CLUSTER", "SETSLOT", number, "MIGRATING", id(target));
    for (List<?> keys = keys(source, slot); !keys.isEmpty(); keys = keys(source, slot)) {
      source.command(migrate(target.port(), keys));
    }
    target.command("CLUSTER", "SETSLOT", number, "NODE", id(target));
    source.command("CLUSTER", "SETSLOT", number, "NODE", id(target));
    for (LocalRedis other : nodes) {
      other.command("CLUSTER", "SETSLOT", number, "NODE", id(target));
    }
  }

  private static String[] migrate(int port, List<?> keys) {
    return Stream.concat(
            Stream.of(
                "MIGRATE", "127.0.0.1", Integer.toString(port), "", "0", MIGRATE_LIMIT_MS, "KEYS"),
            keys.stream().map(String::valueOf))
        .toArray(String[]::new);
  }

  private static List<?> keys(LocalRedis node, int slot) {
    return (List<?>)
        Objects.requireNonNull(
            node.command(
                "CLUSTER",
                "GETKEYSINSLOT",
                Integer.toString(slot),
                Integer.toString(KEYS_AT_ONCE)));
  }

  private static boolean owns(LocalRedis node, int slot) {
    String own = id(node);
    return ((List<?>) Objects.requireNonNull(node.command("CLUSTER", "SLOTS")))
        .stream()
            .map(range -> (List<?>) range)
            .anyMatch(
                range ->
                    (Long) range.get(0) <= slot
                        && slot <= (Long) range.get(1)
                        && ((List<?>) range.get(2)).contains(own));
  }

  private static String id(LocalRedis node) {
    return String.valueOf(node.command("CLUSTER", "MYID"));
  }

  /** Stops all nodes. */
  @Override
  public void close() {
    nodes.forEach(LocalRedis::stop);
  }
}
