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

/** A broker and a Redis of their own for one run, and topics on them. */
public final class Lab implements AutoCloseable {

  /** Small, so that what was read can be deleted soon. */
  private static final int SEGMENT_BYTES = 128 << 20;

  /** What Kafka's protocol has for the end of a partition. */
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
   * Starts both, with data and logs in this directory. Redis is set as docs/configuration.md says,
   * but keeps no list of slow commands, which would count as data: half a MiB when it is full. The
   * JVM of the broker is as Kafka's own start script has it. The buffers of its connections may
   * grow: with those of fixed size, a connection within one machine, whose packets are as large as
   * the buffer, now and then waits 200 ms for TCP to look again.
   *
   * @param settings of Redis, besides
   * @param more is done to the broker before it starts
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

  /** A topic; its records have the time at which the broker appended them, if so asked. */
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

  /** Deletes all records that these topics have: those of a long run would fill the disk. */
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

  /** Where this run keeps things. */
  public Path dir() {
    return dir;
  }

  /** For {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** The Redis of this run. */
  public LocalRedis redis() {
    return redis;
  }

  /** Bytes of data in Redis, without the buffers of clients and of the append-only file. */
  public long redisData() {
    return info("memory", "used_memory_dataset");
  }

  /** From now on Redis writes its append-only file anew when it is asked to, not as that grows. */
  public void rewriteOnlyWhenAsked() {
    redis.command("CONFIG", "SET", "auto-aof-rewrite-percentage", "0");
  }

  /** Asks Redis to write its append-only file anew, and does not wait for it. */
  public void rewrite() {
    redis.command("BGREWRITEAOF");
  }

  /** Whether Redis writes its append-only file anew. */
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

  /** The broker of this run. */
  public LocalBroker broker() {
    return broker;
  }

  /** For questions to the broker. */
  public Admin admin() {
    return admin;
  }

  /** What comes of it; fails with its cause. */
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

  /** Waits before something is asked again. */
  public static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Logs stay; data does not, of which a run writes tens of gigabytes. */
  @Override
  public void close() {
    try (redis;
        broker;
        admin) {
      // All of them, whatever one throws.
    } finally {
      deleteData(dir);
    }
  }

  /** Deletes what broker and Redis of a run in this directory have left, if anything. */
  public static void deleteData(Path dir) {
    try {
      Utils.delete(dir.resolve("kafka/data").toFile());
      Utils.delete(dir.resolve("redis/data").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
