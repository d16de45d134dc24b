package io.delaybridge.bench.faults;

import io.delaybridge.stack.BridgeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The bridge processes of a run. Not thread-safe. */
final class Fleet implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(90);
  private static final String[] JVM = {"-Xmx400m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"};

  private final Path jar;
  private final Path dir;
  private final List<String> jvm;
  private final List<BridgeProcess> all = new ArrayList<>();
  private final Set<BridgeProcess> frozen = new HashSet<>();

  /**
   * @param dir parent of the directories of the bridges, which contain their logs
   * @param config configuration file of all bridges
   * @param jvm additional arguments for their JVMs
   */
  Fleet(Path jar, Path dir, Path config, int size, List<String> jvm) {
    this.jar = jar;
    this.dir = dir;
    this.jvm = List.copyOf(jvm);
    for (int i = 0; i < size; i++) {
      all.add(BridgeProcess.of(jar, dir.resolve("bridge-" + i)).config(config));
    }
    all.forEach(bridge -> bridge.jvm(arguments()));
  }

  /** Returns another bridge, not part of the fleet and not started; the caller must end it. */
  BridgeProcess spare(String name) {
    return BridgeProcess.of(jar, dir.resolve(name)).jvm(arguments());
  }

  private String[] arguments() {
    return Stream.concat(Stream.of(JVM), jvm.stream()).toArray(String[]::new);
  }

  /** Returns all bridges, whether they run or not. */
  List<BridgeProcess> all() {
    return List.copyOf(all);
  }

  /** Returns the bridges whose process runs, including frozen ones. */
  List<BridgeProcess> alive() {
    return all.stream().filter(BridgeProcess::isAlive).toList();
  }

  /** Returns a random bridge that runs. */
  BridgeProcess any(RandomGenerator random) {
    List<BridgeProcess> alive = alive();
    if (alive.isEmpty()) {
      throw new FaultsException("no bridge runs");
    }
    return alive.get(random.nextInt(alive.size()));
  }

  /** Suspends a bridge (SIGSTOP). */
  void freeze(BridgeProcess bridge) {
    bridge.pause();
    frozen.add(bridge);
  }

  /** Resumes a frozen bridge (SIGCONT). */
  void thaw(BridgeProcess bridge) {
    frozen.remove(bridge);
    bridge.resume();
  }

  /**
   * Gives an order to the agent in a bridge, now or when the bridge starts. An empty order cancels
   * the previous one.
   */
  void order(BridgeProcess bridge, String order) {
    try {
      Files.createDirectories(bridge.dir());
      Path written = Files.writeString(bridge.dir().resolve(AgentJar.ORDERS + ".new"), order);
      Files.move(
          written,
          bridge.dir().resolve(AgentJar.ORDERS),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the bridges that do not run and thaws the frozen ones, without waiting for them. */
  void start() {
    List.copyOf(frozen).forEach(this::thaw);
    all.stream().filter(bridge -> !bridge.isAlive()).forEach(BridgeProcess::start);
  }

  /** Kills all bridges (SIGKILL). */
  void kill() {
    alive().forEach(BridgeProcess::kill);
    frozen.clear();
  }

  /** Starts all bridges and waits until each one is healthy. */
  void startHealthy() {
    start();
    all.forEach(bridge -> bridge.awaitHealthy(START));
  }

  /** Shuts all bridges down gracefully. */
  void stop() {
    List.copyOf(frozen).forEach(this::thaw);
    all.parallelStream().forEach(BridgeProcess::stop);
  }

  @Override
  public void close() {
    kill();
  }
}
