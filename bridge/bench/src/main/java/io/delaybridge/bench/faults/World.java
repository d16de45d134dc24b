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

/** The servers, the bridges and the load of one run: everything that a fault can act on. */
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

  /** Returns the directory of the run, in which a fault can store data. */
  Path dir() {
    return dir;
  }

  /** Returns the number of different messages that have arrived. */
  int delivered() {
    return judge.distinct();
  }

  /** Waits until this many more messages have arrived; returns whether they did. */
  boolean awaitDelivered(int more, Duration limit) {
    int before = judge.distinct();
    return Wait.upTo(limit, () -> judge.distinct() >= before + more);
  }

  /** Returns the committed checkpoints; empty if Kafka cannot return them at the moment. */
  Optional<Checkpoints> checkpoints() {
    return Checkpoints.fetch(admin, partitions);
  }

  /** Returns the number of intake partitions. */
  int partitions() {
    return partitions;
  }

  /** Increases the number of intake partitions; the load uses the new ones from now on. */
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

  /** Counts an injection of this kind, for the result. */
  void note(String kind) {
    notes.merge(kind, 1, Integer::sum);
  }

  /** Reports a violation that a fault has found itself. */
  void found(Violation violation, String what) {
    findings.add(violation, what);
  }

  /** Returns how many injections were counted so far. */
  int noted() {
    return notes.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns the counted injections by kind. */
  Map<String, Integer> notes() {
    return Map.copyOf(notes);
  }

  /** Returns every partition of the intake, the targets and the dead letters. */
  List<TopicPartition> topics() {
    List<TopicPartition> all = new ArrayList<>(outputs());
    all.addAll(Intake.partitions(partitions));
    return all;
  }

  /** Returns every partition of the targets and the dead letters. */
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

  /** Writes these records and waits until Kafka has them. */
  void send(Stream<ProducerRecord<byte[], byte[]>> records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers.kafka()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      records.map(producer::send).toList().forEach(World::await);
    }
  }

  /** Waits for an answer from Kafka. */
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
