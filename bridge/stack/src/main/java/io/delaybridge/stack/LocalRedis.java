package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis on 127.0.0.1: the program that {@code -Dredis.binary} names, else the {@code
 * redis-server} or {@code valkey-server} on the PATH, else the one inside the embedded-redis jar
 * (6.2, needs OpenSSL 3), which {@code -Dredis.binary=embedded} names. It keeps an append-only
 * file, flushed every second, and evicts nothing. Its directory holds {@code data/}, {@code
 * redis.conf}, {@code redis.log} and, while it runs, {@code redis.pid}.
 */
public final class LocalRedis extends ProcessServer {

  private static final Duration START_LIMIT = Duration.ofMinutes(1);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

  private final Path dir;
  private final Map<String, String> settings = defaults();
  private boolean embedded;
  private int port;

  private LocalRedis(Path dir) {
    super(new ManagedProcess("redis", dir), STOP_LIMIT);
    this.dir = dir.toAbsolutePath();
  }

  /** Returns a Redis that uses this directory, which is created if necessary. */
  public static LocalRedis at(Path dir) {
    return new LocalRedis(dir);
  }

  /** Sets the port that clients use; the default is a free port. It survives restarts. */
  public LocalRedis port(int chosen) {
    this.port = chosen;
    return this;
  }

  /**
   * Sets a line of {@code redis.conf}, from the next start on: {@code with("maxmemory", "1mb")}.
   */
  public LocalRedis with(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** Uses the program of the embedded-redis jar even if another one is installed. */
  public LocalRedis embedded() {
    embedded = true;
    return this;
  }

  /**
   * Makes this server a replica of the one on this port, from the next start on. The port may be
   * that of a proxy, which can interrupt the replication.
   */
  public LocalRedis replicaOf(int masterPort) {
    return with("replicaof", "127.0.0.1 " + masterPort);
  }

  /**
   * Opens another port with TLS, from the next start on. The plain port stays open.
   *
   * @return the new port
   */
  public int secured(Certificates certificates) {
    int tlsPort = Ports.free();
    with("tls-port", Integer.toString(tlsPort));
    with("tls-cert-file", certificates.certificate().toString());
    with("tls-key-file", certificates.key().toString());
    with("tls-ca-cert-file", certificates.certificate().toString());
    with("tls-auth-clients", "optional");
    return tlsPort;
  }

  /**
   * Opens another port with TLS that only admits clients with a certificate, from the next start
   * on. The plain port stays open. As a replica, it connects to the TLS port of its master.
   *
   * @param trusted the certificates of clients and of the other servers
   * @return the new port
   */
  public int secured(Certificates certificates, Path trusted) {
    int tlsPort = secured(certificates);
    with("tls-ca-cert-file", trusted.toString());
    with("tls-auth-clients", "yes");
    with("tls-replication", "yes");
    return tlsPort;
  }

  /** Returns the port with TLS if other servers use it, else the plain one. */
  int clientPort() {
    String tls = settings.get("tls-port");
    return tls != null && settings.containsKey("tls-replication") ? Integer.parseInt(tls) : port();
  }

  /** Requires a password of all clients, replicas included, from the next start on. */
  public LocalRedis password(String password) {
    return with("requirepass", password).with("masterauth", password);
  }

  /** Returns whether the replica has copied the master's data and is connected to the master. */
  public boolean isInSync() {
    return String.valueOf(command("INFO", "replication")).contains("master_link_status:up");
  }

  /** Makes a replica a master, with the data that it has copied so far. */
  public void promote() {
    command("REPLICAOF", "NO", "ONE");
    settings.remove("replicaof");
  }

  /** Returns the default settings: append-only file, no eviction, no snapshots. */
  static Map<String, String> defaults() {
    return new LinkedHashMap<>(
        Map.of(
            "appendonly", "yes",
            "appendfsync", "everysec",
            "maxmemory-policy", "noeviction",
            "save", ""));
  }

  @Override
  public LocalRedis start() {
    process().claim();
    port = Ports.chosen(port, "Redis", "LocalRedis.port");
    process().start(List.of(binary().toString(), writeConfig().toString()), Map.of());
    process().awaitReady(START_LIMIT, () -> Probe.redis(port, settings.get("requirepass")));
    return this;
  }

  /** Returns the address for clients, once started: {@code redis://127.0.0.1:<port>}. */
  public String uri() {
    return "redis://127.0.0.1:" + port();
  }

  /** Returns the port, once started. */
  public int port() {
    if (port == 0) {
      throw new StackException("Redis has no port before its first start.");
    }
    return port;
  }

  /**
   * Sends one command over a connection of its own.
   *
   * @return a String, a Long, a List of replies, or null
   * @throws StackException if Redis answers with an error or not at all
   */
  public @Nullable Object command(String... words) {
    return Resp.askWith(settings.get("requirepass"), port, words);
  }

  /** Returns the directory of the append-only file. */
  public Path dataDir() {
    return dir.resolve("data");
  }

  /**
   * Copies the data to a directory and replaces its contents. A running Redis is frozen during the
   * copy, which contains everything that Redis has acknowledged.
   */
  public void copyData(Path to) {
    boolean running = isAlive();
    if (running) {
      pause();
    }
    try {
      Directories.replace(dataDir(), to);
    } finally {
      if (running) {
        resume();
      }
    }
  }

  /**
   * Replaces the data with a copy that {@link #copyData} has made.
   *
   * @throws StackException if Redis runs, because it would not notice
   */
  public void restoreData(Path from) {
    if (isAlive()) {
      throw new StackException("Stop Redis before its data is replaced.");
    }
    Directories.replace(from, dataDir());
  }

  /**
   * Cuts off the end of the append-only file, as a power failure can.
   *
   * @return false if the file is missing or not longer than that
   * @throws StackException if Redis runs
   */
  public boolean cutOff(long bytes) {
    if (isAlive()) {
      throw new StackException("Stop Redis before its data is cut.");
    }
    try (Stream<Path> files = Files.walk(dataDir())) {
      Optional<Path> log =
          files
              .filter(file -> file.toString().endsWith(".aof"))
              .max(Comparator.comparingLong(file -> file.toFile().lastModified()));
      if (log.isEmpty() || Files.size(log.get()) <= bytes) {
        return false;
      }
      try (FileChannel channel = FileChannel.open(log.get(), StandardOpenOption.WRITE)) {
        channel.truncate(channel.size() - bytes);
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path binary() {
    Path bundled = dir.resolve("bin");
    return embedded ? RedisBinary.embedded(bundled) : RedisBinary.any(bundled);
  }

  private Path writeConfig() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("bind", "127.0.0.1");
    all.put("port", Integer.toString(port));
    all.put("dir", dataDir().toString());
    all.putAll(settings);
    try {
      Files.createDirectories(dataDir());
      return Files.writeString(
          dir.resolve("redis.conf"),
          all.entrySet().stream()
              .map(entry -> entry.getKey() + " " + quoted(entry.getValue()) + "\n")
              .collect(Collectors.joining()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Quotes empty values and paths. Redis splits other values at blanks, as some settings require.
   */
  static String quoted(String value) {
    return value.isEmpty() || value.startsWith("/") ? '"' + value + '"' : value;
  }
}
