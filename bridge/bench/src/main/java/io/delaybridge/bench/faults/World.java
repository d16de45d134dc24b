package io.delaybridge.bench.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The servers, the bridges and the load of one run: what a fault can lay its hands on. */
final class World<S extends Servers> implements AutoCloseable {

  private static final int TARGET_PARTITIONS = 4;

  private final Guarantee guarantee;
  private final Shape shape;
  private final S servers;
  private final Admin admin;
  private final Fleet fleet;
  private final Load load;
  private final Judge judge;
  private final Findings findings;
  private final Path dir;
  private final Map<String, Integer> notes = new TreeMap<>();
  private volatile int partitions;

  private World(Run<S> run, S servers, Admin admin, Judge judge, Findings findings) {
    this.guarantee = run.guarantee();
    this.servers = servers;
    this.admin = admin;
    this.judge = judge;
    this.findings = findings;
    this.dir = run.dir();
    this.shape = run.row().shape();
    this.partitions = shape.partitions();
    Path config =
        BridgeConfig.write(dir, servers, run.guarantee(), shape.partitions(), run.row().settings());
    this.fleet = new Fleet(run.jar(), dir, config, shape.bridges(), run.row().jvm(dir));
    this.load = new Load(servers.kafka(), run.ledger(), shape.partitions(), run.perSecond());
  }

  /** Starts the servers and creates the topics; bridges and load are not started yet. */
  static <S extends Servers> World<S> start(Run<S> run, Judge judge, Findings findings) {
    S servers = run.row().topology().apply(run.dir());
    try {
      Admin admin =
          Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers.kafka()));
      World<S> world = new World<>(run, servers, admin, judge, findings);
      world.createTopics();
      return world;
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  Shape shape() {
    return shape;
  }

  Guarantee guarantee() {
    return guarantee;
  }

  S servers() {
    return servers;
  }

  Admin admin() {
    return admin;
  }

  Fleet fleet() {
    return fleet;
  }

  Load load() {
    return load;
  }

  /** The directory of the run, for what a fault has to keep. */
  Path dir() {
    return dir;
  }

  /** How many messages have arrived, each counted once. */
  int delivered() {
    return judge.distinct();
  }

  /** Waits until so many more messages have arrived; returns whether they did. */
  boolean awaitDelivered(int more, Duration limit) {
    int before = judge.distinct();
    return Wait.upTo(limit, () -> judge.distinct() >= before + more);
  }

  /** What the bridges have committed; empty if Kafka does not tell for now. */
  Optional<Checkpoints> checkpoints() {
    return Checkpoints.fetch(admin, partitions);
  }

  /** Partitions of the intake. */
  int partitions() {
    return partitions;
  }

  /** Gives the intake more partitions; the load uses them from now on. */
  void growTo(int count) {
    await(
        admin.createPartitions(Map.of(BridgeConfig.INTAKE, NewPartitions.increaseTo(count))).all());
    partitions = count;
    load.spreadOver(count);
  }

  /** Writes the configuration of another bridge on the same servers. */
  Path config(Path to, Map<String, String> settings) {
    return BridgeConfig.write(to, servers, guarantee, partitions, settings);
  }

  /** Counts a kind of what was injected, for the result. */
  void note(String kind) {
    notes.merge(kind, 1, Integer::sum);
  }

  /** What a fault finds to be wrong by itself. */
  void found(Violation violation, String what) {
    findings.add(violation, what);
  }

  /** How many faults were counted so far. */
  int noted() {
    return notes.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** What was counted. */
  Map<String, Integer> notes() {
    return Map.copyOf(notes);
  }

  /** Every partition of the intake, the targets and the dead letters. */
  List<TopicPartition> topics() {
    List<TopicPartition> all = new ArrayList<>(outputs());
    all.addAll(Intake.partitions(partitions));
    return all;
  }

  /** Every partition of the targets and the dead letters. */
  static List<TopicPartition> outputs() {
    return outputTopics().stream()
        .flatMap(topic -> Intake.partitions(topic, TARGET_PARTITIONS).stream())
        .toList();
  }

  private static List<String> outputTopics() {
    List<String> topics = new ArrayList<>(List.of(BridgeConfig.DEAD_LETTERS));
    for (int i = 0; i < Nature.TARGETS; i++) {
      topics.add(Load.target(i));
    }
    return topics;
  }

  private void createTopics() {
    List<NewTopic> topics = new ArrayList<>();
    outputTopics()
        .forEach(
            topic ->
                topics.add(new NewTopic(topic, Optional.of(TARGET_PARTITIONS), Optional.empty())));
    topics.add(
        new NewTopic(BridgeConfig.INTAKE, Optional.of(partitions), Optional.empty())
            .configs(Map.of("retention.ms", "-1")));
    await(admin.createTopics(topics).all());
  }

  /** Writes these and waits until Kafka has them. */
  void send(Stream<ProducerRecord<byte[], byte[]>> records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers.kafka()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      records.map(producer::send).toList().forEach(World::await);
    }
  }

  /** Waits for an answer of Kafka. */
  static <T> T await(Future<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new FaultsException("Kafka: " + e.getCause(), e);
    } catch (InterruptedException e) {
      throw FaultsException.interrupted("Kafka", e);
    }
  }

  @Override
  public void close() {
    try (servers;
        admin;
        fleet) {
      load.close();
    }
  }
}
