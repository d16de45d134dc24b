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

/** The bridges, each a process. Not for use by several threads at once. */
final class Fleet implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(90);
  private static final String[] JVM = {"-Xmx400m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"};

  private final Path jar;
  private final Path dir;
  private final List<String> jvm;
  private final List<BridgeProcess> all = new ArrayList<>();
  private final Set<BridgeProcess> frozen = new HashSet<>();

  /**
   * @param dir each bridge has a directory in it, with its log
   * @param config of all of them
   * @param jvm more arguments of their JVMs
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

  /** One more bridge that is not of the fleet and not started; whoever asked ends it. */
  BridgeProcess spare(String name) {
    return BridgeProcess.of(jar, dir.resolve(name)).jvm(arguments());
  }

  private String[] arguments() {
    return Stream.concat(Stream.of(JVM), jvm.stream()).toArray(String[]::new);
  }

  /** All of them, dead or alive. */
  List<BridgeProcess> all() {
    return List.copyOf(all);
  }

  /** Those whose process runs, the frozen ones included. */
  List<BridgeProcess> alive() {
    return all.stream().filter(BridgeProcess::isAlive).toList();
  }

  /** One of those that run. */
  BridgeProcess any(RandomGenerator random) {
    List<BridgeProcess> alive = alive();
    if (alive.isEmpty()) {
      throw new FaultsException("no bridge runs");
    }
    return alive.get(random.nextInt(alive.size()));
  }

  /** Stops a bridge as it stands (SIGSTOP). */
  void freeze(BridgeProcess bridge) {
    bridge.pause();
    frozen.add(bridge);
  }

  /** Lets a bridge that was frozen go on (SIGCONT). */
  void thaw(BridgeProcess bridge) {
    frozen.remove(bridge);
    bridge.resume();
  }

  /** Tells the agent inside a bridge what to do: now, or when it starts. Empty for nothing. */
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

  /** Starts those that do not run and thaws those that are frozen; does not wait for them. */
  void start() {
    List.copyOf(frozen).forEach(this::thaw);
    all.stream().filter(bridge -> !bridge.isAlive()).forEach(BridgeProcess::start);
  }

  /** Ends all of them at once (SIGKILL). */
  void kill() {
    alive().forEach(BridgeProcess::kill);
    frozen.clear();
  }

  /** Starts all of them and waits until each one is healthy. */
  void startHealthy() {
    start();
    all.forEach(bridge -> bridge.awaitHealthy(START));
  }

  /** Ends all of them in good order. */
  void stop() {
    List.copyOf(frozen).forEach(this::thaw);
    all.parallelStream().forEach(BridgeProcess::stop);
  }

  @Override
  public void close() {
    kill();
  }
}
