package io.delaybridge;

import io.delaybridge.config.KafkaConfig;
import io.delaybridge.deadletter.index.DeadLetterClients;
import io.delaybridge.delivery.Packing;
import io.delaybridge.delivery.TracedProducer;
import io.delaybridge.delivery.Tracing;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.kafka.clients.ClientDnsLookup;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the Kafka clients. Their properties are the defaults of the bridge, then the configured
 * ones, then the fixed ones. Public for the benchmark, whose yardstick has the very same clients.
 */
public final class KafkaClients implements DeadLetterClients {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaClients.class);

  /** The longest pause of a consumer that is made only to look at its properties. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private static final String ADMIN_THREAD = "kafka-admin-client-thread | ";
  private static final String PRODUCER_THREAD = KafkaProducer.NETWORK_THREAD_PREFIX + " | ";

  private final KafkaConfig config;
  private final ThreadNames made;
  private final Tracing tracing = Tracing.ofThisProcess();
  private volatile boolean leaving;

  /** Uses this configuration. */
  public KafkaClients(KafkaConfig config) {
    this(config, thread -> {});
  }

  /**
   * @param made is told the name of the thread of each client that is of no use without it. A
   *     consumer needs no other thread than the one that polls it, except for heartbeats, and fails
   *     if that one has died
   */
  KafkaClients(KafkaConfig config, ThreadNames made) {
    this.config = config;
    this.made = made;
  }

  /** Is told the name of a thread. */
  interface ThreadNames {
    void made(String thread);
  }

  /**
   * Refuses properties that the clients would refuse when they are made. That is later, and for
   * some clients only when there is something to deliver.
   *
   * @throws IllegalArgumentException that names the section, the key, its value and what is allowed
   */
  static void check(KafkaConfig config) {
    for (String address : config.bootstrapServers().split(",", -1)) {
      if (Utils.getPort(address.strip()) == null) {
        throw new IllegalArgumentException(
            "kafka.bootstrapServers is '%s', allowed: host:port, several with commas"
                .formatted(config.bootstrapServers()));
      }
    }
    KafkaClients clients = new KafkaClients(config);
    new Checked("kafka.consumer", clients.consumerProperties("", PAUSE), ConsumerConfig::new)
        .atLeast(
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            of -> of.getInt(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG) + 1L,
            "more than heartbeat.interval.ms");
    new Checked(
            "kafka.producer", clients.producerProperties("", Packing.PLAIN), ProducerConfig::new)
        .atLeast(
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            of ->
                of.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG)
                    + of.getLong(ProducerConfig.LINGER_MS_CONFIG),
            "request.timeout.ms plus linger.ms");
    new Checked("kafka.admin", clients.adminProperties(), AdminClientConfig::new)
        .atLeast(
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            of -> of.getInt(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG),
            "request.timeout.ms");
  }

  /** The properties of one client, as Kafka parses them. */
  private static final class Checked {

    private final String section;
    private final AbstractConfig properties;

    Checked(
        String section,
        Map<String, Object> given,
        Function<Map<String, Object>, AbstractConfig> client) {
      this.section = section;
      Map<String, Object> all = new HashMap<>(given);
      all.put("key.serializer", ByteArraySerializer.class);
      all.put("value.serializer", ByteArraySerializer.class);
      all.put("key.deserializer", ByteArrayDeserializer.class);
      all.put("value.deserializer", ByteArrayDeserializer.class);
      try {
        properties = client.apply(all);
      } catch (ConfigException e) {
        throw new IllegalArgumentException(wrong(String.valueOf(e.getMessage())), e);
      }
    }

    void atLeast(String key, ToLongFunction<AbstractConfig> least, String which) {
      int value = properties.getInt(key);
      long allowed = least.applyAsLong(properties);
      if (value < allowed) {
        throw new IllegalArgumentException(
            wrong("%s is %d, allowed: at least %d (%s)".formatted(key, value, allowed, which)));
      }
    }

    private String wrong(String what) {
      return section + ", with kafka.properties: " + what;
    }
  }

  /**
   * The compression type of the producers that compress. A separate class, so that no native
   * library is loaded before something is compressed.
   */
  private static final class Smallest {

    /** Zstandard, or the compression of Java itself if the native library cannot be loaded here. */
    static final CompressionType TYPE =
        works(Compression.zstd().build()) ? CompressionType.ZSTD : CompressionType.GZIP;

    private static boolean works(Compression compression) {
      try (OutputStream out =
          compression.wrapForOutput(
              new ByteBufferOutputStream(64), RecordBatch.CURRENT_MAGIC_VALUE)) {
        out.write(0);
        return true;
      } catch (IOException | KafkaException | LinkageError e) {
        LOG.warn("Compression {} does not work here, gzip is used instead", compression.type(), e);
        return false;
      }
    }
  }

  /**
   * Whether the names of brokers can be resolved without which no client can be made: one of them,
   * or all if the client looks for their canonical names.
   */
  boolean isNameKnown() {
    Stream<String> addresses = Stream.of(config.bootstrapServers().split(","));
    return ClientDnsLookup.RESOLVE_CANONICAL_BOOTSTRAP_SERVERS_ONLY
            .toString()
            .equals(adminProperties().get(CommonClientConfigs.CLIENT_DNS_LOOKUP_CONFIG))
        ? addresses.allMatch(KafkaClients::isResolved)
        : addresses.anyMatch(KafkaClients::isResolved);
  }

  private static boolean isResolved(String address) {
    return !new InetSocketAddress(Utils.getHost(address.strip()), 0).isUnresolved();
  }

  /** Returns how the producers, and the code that makes their records, take part in traces. */
  Tracing tracing() {
    return tracing;
  }

  @Override
  public Admin admin() {
    Map<String, Object> properties = adminProperties();
    Admin admin = Admin.create(properties);
    made.made(ADMIN_THREAD + properties.get(CommonClientConfigs.CLIENT_ID_CONFIG));
    return admin;
  }

  private Map<String, Object> adminProperties() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
    configured(properties, config.admin(), "delay-bridge-admin");
    return properties;
  }

  /**
   * Makes the consumer of a loop.
   *
   * @param member its name in the group, unlike any other before or after it
   * @param longestPause between two polls; after that the consumer leaves the group, whatever its
   *     thread does
   */
  public Consumer<byte[], byte[]> consumer(String clientId, String member, Duration longestPause) {
    Map<String, Object> properties = consumerProperties(clientId, longestPause);
    properties.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, member);
    BooleanSupplier leaves = () -> leaving;
    properties.put(FollowUpAssignor.LEAVES, leaves);
    return RejoiningConsumer.of(properties);
  }

  /** The consumers of loops are about to leave the group: when they rejoin, they want nothing. */
  void leave() {
    leaving = true;
  }

  private Map<String, Object> consumerProperties(String clientId, Duration longestPause) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
    properties.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, (int) longestPause.toMillis());
    properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
    // How late a member may learn that the group divides its partitions. An idle bridge pays for
    // it.
    properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 500);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 15_000);
    properties.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 30_000);
    // The thread that sends heartbeats wakes this often, whether there is one to send or not.
    properties.put(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG, 250);
    properties.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, FollowUpAssignor.class.getName());
    configured(properties, config.consumer(), clientId);
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, config.groupId());
    // Fences a transaction with an older generation for every partition; see ADR 4.
    properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    // Otherwise a broker that creates topics would create a deleted intake anew, with its own
    // retention.
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return properties;
  }

  @Override
  public Consumer<byte[], byte[]> reader(String clientId) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 15_000);
    // Otherwise a fetch that waits at the end of one partition would hold up the next request.
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
    // As large as the system makes it: a poll that does not wait reads only what is in it.
    properties.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
    configured(properties, config.consumer(), clientId);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Map<String, Object> common() {
    return config.given(Map.of());
  }

  @Override
  public Map<String, String> consumerOverrides() {
    return config.consumer();
  }

  @Override
  public Producer<byte[], byte[]> compressingProducer(String clientId, String transactionalId) {
    return transactionalProducer(clientId, transactionalId, Packing.COMPRESSED);
  }

  /** Makes a producer like the one that a loop has for records that it does not compress. */
  public Producer<byte[], byte[]> transactionalProducer(String clientId, String transactionalId) {
    return transactionalProducer(clientId, transactionalId, Packing.PLAIN);
  }

  /** Makes a producer with this transactional id and this packing of records. */
  public Producer<byte[], byte[]> transactionalProducer(
      String clientId, String transactionalId, Packing packing) {
    Map<String, Object> properties = producerProperties(clientId, packing);
    properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    return producer(properties);
  }

  @Override
  public Producer<byte[], byte[]> producer(String clientId) {
    return producer(clientId, Packing.PLAIN);
  }

  /** Makes a producer without transactions and with this packing of records. */
  public Producer<byte[], byte[]> producer(String clientId, Packing packing) {
    return producer(producerProperties(clientId, packing));
  }

  private Producer<byte[], byte[]> producer(Map<String, Object> properties) {
    Producer<byte[], byte[]> producer =
        tracing.isOn()
            ? new TracedProducer(properties, tracing)
            : new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    made.made(PRODUCER_THREAD + properties.get(CommonClientConfigs.CLIENT_ID_CONFIG));
    return producer;
  }

  private Map<String, Object> producerProperties(String clientId, Packing packing) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 64 << 10);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 16 << 20);
    properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 64L << 20);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 15_000);
    properties.put(ProducerConfig.METADATA_MAX_AGE_CONFIG, 30_000);
    // The broker rejects a transaction that begins while the markers of the last one are being
    // written, and the producer retries. This is how long it waits.
    properties.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 1);
    properties.put(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 500);
    if (packing == Packing.COMPRESSED) {
      // The client compares this limit with the size of a record before compression.
      properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 64 << 20);
    }
    configured(properties, config.producer(), clientId);
    if (packing == Packing.COMPRESSED) {
      properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, Smallest.TYPE.name);
      properties.put(ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG, 9);
    }
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    return properties;
  }

  private void configured(
      Map<String, Object> properties, Map<String, String> own, String clientId) {
    properties.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    // A full buffer of fixed size costs the sender a TCP time-out. The buffers of the system grow.
    properties.put(CommonClientConfigs.RECEIVE_BUFFER_CONFIG, -1);
    properties.put(CommonClientConfigs.SEND_BUFFER_CONFIG, -1);
    properties.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
    properties.putAll(config.given(own));
  }
}
