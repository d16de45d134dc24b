package io.delaybridge.bench.speed.lab;

import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.utils.Utils;

/** A broker and a Redis for one run, and topics on them. */
public final class Lab implements AutoCloseable {

  /** Small, so that segments can be deleted soon after they are read. */
  private static final int SEGMENT_BYTES = 128 << 20;

  /** The value that means the end of a partition in Kafka's protocol. */
  private static final long END = -1;

  private final Path dir;
  private final LocalBroker broker;
  private final LocalRedis redis;
  private final Admin admin;

  private Lab(Path dir, LocalBroker broker, LocalRedis redis) {
    this.dir = dir;
    this.broker = broker;
    this.redis = redis;
    this.admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  /**
   * Starts both, with data and logs in this directory. Redis has the settings of
   * docs/configuration.md, but no log of slow commands, which would count as data: half a MiB when
   * it is full. The JVM of the broker has the options of Kafka's own start script. The socket
   * buffers of the broker may grow. With buffers of fixed size, a connection within one machine,
   * whose packets are as large as the buffer, sometimes waits 200 ms for TCP to check again.
   *
   * @param settings additional settings of Redis
   * @param more changes the broker before it starts
   */
  public static Lab start(Path dir, Map<String, String> settings, UnaryOperator<LocalBroker> more) {
    LocalRedis redis =
        LocalRedis.at(dir.resolve("redis"))
            .with("auto-aof-rewrite-min-size", "1gb")
            .with("slowlog-log-slower-than", "-1");
    settings.forEach(redis::with);
    redis.start();
    LocalBroker broker =
        more.apply(LocalBroker.at(dir.resolve("kafka")))
            .jvm(
                "-Xms1g",
                "-Xmx1g",
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:InitiatingHeapOccupancyPercent=35",
                "-XX:+ExplicitGCInvokesConcurrent",
                "-XX:MaxInlineLevel=15")
            .with("socket.receive.buffer.bytes", "-1")
            .with("socket.send.buffer.bytes", "-1")
            .with("log.segment.delete.delay.ms", "1000")
            .start();
    return new Lab(dir, broker, redis);
  }

  /** Creates a topic; if requested, its records have the append time of the broker. */
  public void createTopic(String name, int partitions, boolean appendTime) {
    NewTopic topic =
        new NewTopic(name, Optional.of(partitions), Optional.empty())
            .configs(
                Map.of(
                    TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                    appendTime ? "LogAppendTime" : "CreateTime",
                    TopicConfig.SEGMENT_BYTES_CONFIG,
                    Integer.toString(SEGMENT_BYTES),
                    TopicConfig.RETENTION_MS_CONFIG,
                    "-1"));
    get(admin.createTopics(List.of(topic)).all());
  }

  /** Deletes all records of these topics: those of a long run would fill the disk. */
  public void deleteRecords(String... topics) {
    Map<TopicPartition, RecordsToDelete> all =
        get(admin.describeTopics(List.of(topics)).allTopicNames()).values().stream()
            .flatMap(
                topic ->
                    topic.partitions().stream()
                        .map(each -> new TopicPartition(topic.name(), each.partition())))
            .collect(Collectors.toMap(each -> each, each -> RecordsToDelete.beforeOffset(END)));
    get(admin.deleteRecords(all).all());
  }

  /** Returns the directory of this run. */
  public Path dir() {
    return dir;
  }

  /** Returns the value of {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** Returns the Redis of this run. */
  public LocalRedis redis() {
    return redis;
  }

  /** Returns the bytes of data in Redis, without the buffers of clients and append-only file. */
  public long redisData() {
    return info("memory", "used_memory_dataset");
  }

  /** Stops automatic rewrites of the append-only file; Redis then rewrites it only on request. */
  public void rewriteOnlyWhenAsked() {
    redis.command("CONFIG", "SET", "auto-aof-rewrite-percentage", "0");
  }

  /** Requests a rewrite of the append-only file, and does not wait for it. */
  public void rewrite() {
    redis.command("BGREWRITEAOF");
  }

  /** Returns whether Redis is rewriting its append-only file. */
  public boolean isRewriting() {
    return info("persistence", "aof_rewrite_in_progress") == 1;
  }

  private long info(String section, String name) {
    return String.valueOf(redis.command("INFO", section))
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("INFO " + section + " has no " + name));
  }

  /** Returns the broker of this run. */
  public LocalBroker broker() {
    return broker;
  }

  /** Returns the admin client of the broker. */
  public Admin admin() {
    return admin;
  }

  /** Returns the result of the future; fails with its cause. */
  public static <T> T get(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits before the next query. */
  public static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Deletes the data, of which a run writes tens of gigabytes, and keeps the logs. */
  @Override
  public void close() {
    try (redis;
        broker;
        admin) {
      // Closes all of them, even if one throws.
    } finally {
      deleteData(dir);
    }
  }

  /** Deletes the data that broker and Redis of a run have left in this directory, if any. */
  public static void deleteData(Path dir) {
    try {
      Utils.delete(dir.resolve("kafka/data").toFile());
      Utils.delete(dir.resolve("redis/data").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
