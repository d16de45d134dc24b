package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One Redis Sentinel. It rewrites its own settings file. */
final class Sentinel extends ProcessServer {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Path dir;
  private final int port = Ports.free();
  private int clientPort = port;
  private String watched = "";
  private String access = "";
  private @Nullable String password;

  Sentinel(Path dir) {
    super(new ManagedProcess("sentinel", dir), Duration.ofSeconds(5));
    this.dir = dir.toAbsolutePath();
  }

  /**
   * Sets the master to monitor, from the next start on. A master that is silent for a second is
   * considered down.
   */
  Sentinel watch(String name, int masterPort, @Nullable String masterPassword) {
    String login =
        masterPassword == null ? "" : "sentinel auth-pass %s %s%n".formatted(name, masterPassword);
    watched =
        """
        sentinel monitor %1$s 127.0.0.1 %2$d 2
        sentinel down-after-milliseconds %1$s 1000
        sentinel failover-timeout %1$s 10000
        """
                .formatted(name, masterPort)
            + login;
    return this;
  }

  /** Requires this password, from the next start on. */
  Sentinel password(String secret) {
    password = secret;
    return with("requirepass", secret);
  }

  /** Adds a line of its settings, from the next start on. */
  Sentinel with(String key, String value) {
    access += "%s %s\n".formatted(key, LocalRedis.quoted(value));
    return this;
  }

  /** Speaks TLS with clients that have a certificate, and with the other servers. */
  void secured(Certificates certificates, Path trusted) {
    clientPort = Ports.free();
    with("tls-port", Integer.toString(clientPort));
    with("tls-cert-file", certificates.certificate().toString());
    with("tls-key-file", certificates.key().toString());
    with("tls-ca-cert-file", trusted.toString());
    with("tls-auth-clients", "yes");
    with("tls-replication", "yes");
  }

  /** Returns the port with TLS if there is one, else the plain one. */
  int clientPort() {
    return clientPort;
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
          settings,
          "bind 127.0.0.1\nport %d\ndir \"%s\"\n%s%s".formatted(port, dir, access, watched));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String redis = RedisBinary.any(dir.resolve("bin")).toString();
    process().start(List.of(redis, settings.toString(), "--sentinel"), Map.of());
    process().awaitReady(LIMIT, () -> Probe.redis(port, password));
    return this;
  }

  /** Returns the answer to a command that answers with a list. */
  List<?> command(String... words) {
    try (Resp sentinel = new Resp(port, LIMIT, password)) {
      return (List<?>) Objects.requireNonNull(sentinel.command(words));
    } catch (IOException e) {
      throw new StackException(words[0] + " got no answer from the Sentinel on " + port + ".", e);
    }
  }
}
