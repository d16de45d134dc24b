package io.delaybridge.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Several brokers, each also a controller, in {@code node-1}, {@code node-2}, ... of one directory.
 * Topics have one replica on each node and, by default, need all but one of them in sync. With
 * three nodes, any one may be down.
 */
public final class LocalCluster implements AutoCloseable {

  private final List<LocalBroker> nodes = new ArrayList<>();

  private LocalCluster() {}

  /** Returns a cluster of this many nodes, usually 3, that uses this directory. */
  public static LocalCluster at(Path dir, int size) {
    LocalCluster cluster = new LocalCluster();
    for (int id = 1; id <= size; id++) {
      cluster.nodes.add(LocalBroker.at(dir.resolve("node-" + id)).node(id));
    }
    cluster.nodes.forEach(node -> node.quorum(cluster.nodes));
    return cluster;
  }

  /** Sets a property of every node, from its next start on. */
  public LocalCluster with(String key, String value) {
    nodes.forEach(node -> node.with(key, value));
    return this;
  }

  /** Starts all nodes and waits until each one is registered. */
  public LocalCluster start() {
    try {
      nodes.forEach(LocalBroker::launch);
      nodes.forEach(LocalBroker::awaitReady);
      return this;
    } catch (StackException e) {
      close();
      throw e;
    }
  }

  /** Returns one node, counted from 0. */
  public LocalBroker broker(int index) {
    return nodes.get(index);
  }

  /** Returns the addresses of all nodes for {@code bootstrap.servers}, once started. */
  public String bootstrapServers() {
    return nodes.stream().map(LocalBroker::bootstrapServers).collect(Collectors.joining(","));
  }

  /** Stops all nodes. The last ones are killed, because the quorum is lost by then. */
  @Override
  public void close() {
    nodes.parallelStream().forEach(LocalBroker::stop);
  }
}
