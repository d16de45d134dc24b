package io.delaybridge.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Redis master, one replica and three Sentinels. The Sentinels promote the replica when two of
 * them have not reached the master for a second.
 */
public final class LocalSentinels implements AutoCloseable {

  private static final String NAME = "main";
  private static final int WATCHERS = 3;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final LocalRedis first;
  private final LocalRedis second;
  private final List<Sentinel> sentinels = new ArrayList<>();

  private String scheme = "redis-sentinel";
  private @Nullable String password;

  private LocalSentinels(Path dir) {
    first = LocalRedis.at(dir.resolve("redis-1"));
    second = LocalRedis.at(dir.resolve("redis-2"));
    for (int i = 1; i <= WATCHERS; i++) {
      sentinels.add(new Sentinel(dir.resolve("sentinel-" + i)));
    }
  }

  /** Returns a group that uses this directory, which is created if necessary. */
  public static LocalSentinels at(Path dir) {
    return new LocalSentinels(dir);
  }

  /**
   * Makes all five speak TLS to each other, and admit only clients with a certificate on the ports
   * that {@link #uri} names.
   *
   * @param trusted the certificates of clients and of the servers
   */
  public LocalSentinels secured(Certificates certificates, Path trusted) {
    scheme = "rediss-sentinel";
    first.secured(certificates, trusted);
    second.secured(certificates, trusted);
    sentinels.forEach(sentinel -> sentinel.secured(certificates, trusted));
    return this;
  }

  /**
   * Makes all five require a password.
   *
   * @param user a further user of the Sentinels, in the form of their settings
   */
  public LocalSentinels passwords(String ofRedis, String ofSentinels, String user) {
    password = ofRedis;
    first.password(ofRedis);
    second.password(ofRedis);
    sentinels.forEach(sentinel -> sentinel.password(ofSentinels).with("user", user));
    return this;
  }

  /** Starts all five processes and returns when the Sentinels know each other and the replica. */
  public LocalSentinels start() {
    try {
      first.start();
      second.replicaOf(first.clientPort()).start();
      await("the copy", second::isInSync);
      sentinels.forEach(sentinel -> sentinel.watch(NAME, first.clientPort(), password).start());
      await("the Sentinels", () -> sentinels.stream().allMatch(this::isComplete));
      return this;
    } catch (StackException e) {
      close();
      throw e;
    }
  }

  private boolean isComplete(Sentinel sentinel) {
    List<?> master = sentinel.command("SENTINEL", "MASTER", NAME);
    return value(master, "num-slaves").equals("1")
        && value(master, "num-other-sentinels").equals(Integer.toString(WATCHERS - 1));
  }

  private static String value(List<?> pairs, String name) {
    return String.valueOf(pairs.get(pairs.indexOf(name) + 1));
  }

  /**
   * Returns the address for clients: {@code redis-sentinel://host:port,...#main}, with the password
   * of Redis if it has one.
   */
  public String uri() {
    String login = password == null ? "" : ":" + password + "@";
    return sentinels.stream()
        .map(sentinel -> "127.0.0.1:" + sentinel.clientPort())
        .collect(Collectors.joining(",", scheme + "://" + login, "#" + NAME));
  }

  /** Sends a command to each Sentinel and returns the answers. */
  public List<?> askSentinels(String... words) {
    return sentinels.stream().map(sentinel -> sentinel.command(words)).toList();
  }

  /** Returns the server that the first Sentinel reports as master. */
  public LocalRedis master() {
    List<?> address = sentinels.get(0).command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
    return address.get(1).equals(Integer.toString(first.clientPort())) ? first : second;
  }

  /** Kills the master and returns the other server when it has become the master. */
  public LocalRedis failover() {
    LocalRedis old = master();
    LocalRedis next = old == first ? second : first;
    old.kill();
    await("the other Redis", () -> master() == next && isMaster(next));
    return next;
  }

  private static boolean isMaster(LocalRedis redis) {
    return String.valueOf(redis.command("INFO", "replication")).contains("role:master");
  }

  private static void await(String what, java.util.function.BooleanSupplier answer) {
    if (!Await.until(what, LIMIT, answer)) {
      throw new StackException(what + " did not get ready within " + LIMIT.toSeconds() + " s.");
    }
  }

  /** Stops all five processes. */
  @Override
  public void close() {
    sentinels.forEach(Sentinel::stop);
    second.stop();
    first.stop();
  }
}
