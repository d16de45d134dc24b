package io.delaybridge.stack;

import io.delaybridge.schemas.DelayTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class data sharing archive of the bridge, in {@code classes.jsa} next to its jar. A bridge
 * with the archive needs half the CPU time to start. The archive is created from a bridge that has
 * delivered messages, so that it contains the classes that a delivery needs. {@link BridgeProcess}
 * uses it if it exists.
 *
 * <p>An archive is valid only for one JVM and for exactly these jars. A JVM ignores an archive that
 * does not match.
 */
public final class ClassArchive {

  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration DEMO = Duration.ofSeconds(60);

  /** The time limit for the end of a JVM, which writes the archive when it ends. */
  private static final Duration END = Duration.ofMinutes(2);

  private final Path jar;
  private final Path file;

  private ClassArchive(Path jar) {
    this.jar = jar.toAbsolutePath();
    this.file = this.jar.resolveSibling("classes.jsa");
  }

  /** Returns the archive that belongs to this jar of the bridge. */
  public static ClassArchive of(Path jar) {
    return new ClassArchive(jar);
  }

  /**
   * Creates archives if there are none yet, or if the jar or a library is newer. Reports a failure
   * but does not fail the caller, because a bridge also starts without an archive.
   *
   * @param args the jar, its configuration file and, optionally, the path for an archive of the
   *     broker's classes, which is created in the same run
   */
  public static void main(String[] args) {
    if (args.length < 2 || args.length > 3) {
      throw new IllegalArgumentException("arguments: <jar> <config> [<archive of the broker>]");
    }
    ClassArchive archive = of(Path.of(args[0]));
    Path brokerFile = args.length == 3 ? Path.of(args[2]) : null;
    if (archive.isThere() && (brokerFile == null || Files.exists(brokerFile))) {
      return;
    }
    long from = System.nanoTime();
    try {
      archive.make(Path.of(args[1]), brokerFile);
      System.out.printf("%s made in %s%n", archive.file, Screen.since(from));
    } catch (StackException e) {
      System.err.printf("%s not made: %s%n", archive.file, e.getMessage());
    }
  }

  /**
   * Returns the JVM argument that enables the archive; empty if there is none or it is outdated.
   */
  public List<String> arguments() {
    return isThere() ? List.of(use(file)) : List.of();
  }

  /**
   * Creates the archive if there is none yet, or if the jar or a library is newer. This takes less
   * than a minute.
   *
   * @throws StackException if that fails, with the directory of the logs
   */
  public void make(Path config) {
    if (!isThere()) {
      make(config, null);
    }
  }

  static String use(Path archive) {
    return "-XX:SharedArchiveFile=" + archive;
  }

  static String leave(Path archive) {
    return "-XX:ArchiveClassesAtExit=" + archive;
  }

  private boolean isThere() {
    if (!Files.exists(file)) {
      return false;
    }
    Path libraries = jar.resolveSibling("lib");
    try (Stream<Path> files = Files.exists(libraries) ? Files.list(libraries) : Stream.empty()) {
      FileTime made = Files.getLastModifiedTime(file);
      for (Path each : Stream.concat(Stream.of(jar), files).toList()) {
        if (Files.getLastModifiedTime(each).compareTo(made) >= 0) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void make(Path config, @Nullable Path brokerFile) {
    Path dir = Directories.temporary("delay-bridge-classes");
    try (LocalRedis redis = LocalRedis.at(dir.resolve("redis"));
        LocalBroker broker = LocalBroker.at(dir.resolve("kafka"));
        BridgeProcess bridge = BridgeProcess.of(jar, dir.resolve("bridge"))) {
      Files.deleteIfExists(file);
      redis.start();
      if (brokerFile != null) {
        Files.deleteIfExists(brokerFile);
        broker.dumpTo(brokerFile);
      }
      broker.start();
      Topics.create(broker.bootstrapServers(), Demo.TOPIC);
      bridge
          .config(config)
          .jvm(leave(file))
          .env("KAFKA_BOOTSTRAP_SERVERS", broker.bootstrapServers())
          .env("REDIS_URI", redis.uri())
          .start()
          .awaitHealthy(START);
      deliver(broker.bootstrapServers());
      bridge.process().stop(END);
      if (!Files.exists(file)) {
        throw bridge.process().failure("made no archive of its classes");
      }
      broker.process().stop(END);
    } catch (StackException e) {
      throw new StackException("%s%nLogs: %s".formatted(e.getMessage(), dir), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Directories.delete(dir);
  }

  private static void deliver(String bootstrapServers) {
    Demo demo = new Demo();
    try (Arrivals arrivals =
        new Arrivals(
            bootstrapServers,
            List.of(Demo.TOPIC, DelayTopics.DEAD_LETTER),
            record -> demo.arrived(new Arrival(record, System.currentTimeMillis())))) {
      arrivals.awaitReading(START);
      demo.send(bootstrapServers);
      if (!Await.until("the demo", DEMO, demo.done()::isDone)) {
        throw new StackException(demo.summary());
      }
    }
  }
}
