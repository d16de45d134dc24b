package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One Redis Sentinel. It rewrites its own settings file. */
final class Sentinel extends ProcessServer {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Path dir;
  private final int port = Ports.free();
  private String watched = "";

  Sentinel(Path dir) {
    super(new ManagedProcess("sentinel", dir), Duration.ofSeconds(5));
    this.dir = dir.toAbsolutePath();
  }

  /**
   * Sets the master to monitor, from the next start on. A master that is silent for a second is
   * considered down.
   */
  Sentinel watch(String name, int masterPort) {
    watched =
        """
        sentinel monitor %1$s 127.0.0.1 %2$d 2
        sentinel down-after-milliseconds %1$s 1000
        sentinel failover-timeout %1$s 10000
        """
            .formatted(name, masterPort);
    return this;
  }

  int port() {
    return port;
  }

  @Override
  public Sentinel start() {
    process().claim();
    Ports.requireFree(port, "Sentinel", "another run");
    Path settings = dir.resolve("sentinel.conf");
    try {
      Files.writeString(
          settings, "bind 127.0.0.1\nport %d\ndir \"%s\"\n%s".formatted(port, dir, watched));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String redis = RedisBinary.any(dir.resolve("bin")).toString();
    process().start(List.of(redis, settings.toString(), "--sentinel"), Map.of());
    process().awaitReady(LIMIT, () -> Probe.redis(port));
    return this;
  }

  /** Returns the answer to a command that answers with a list. */
  List<?> command(String... words) {
    try (Resp sentinel = new Resp(port, LIMIT)) {
      return (List<?>) Objects.requireNonNull(sentinel.command(words));
    } catch (IOException e) {
      throw new StackException(words[0] + " got no answer from the Sentinel on " + port + ".", e);
    }
  }
}
