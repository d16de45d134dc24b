package io.delaybridge.bench.faults;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Messages that repeat each second, with their own intake and target; the load of the row runs
 * beside them. They are written once. When the last occurrence must have come, every occurrence is
 * checked: its number, its scheduled time and the broker's timestamp.
 */
final class Schedules {

  /** The number of schedules. */
  static final int COUNT = 200;

  static final String INTAKE = "repeat-intake";

  private static final String TARGET = "repeat-target";
  private static final int PARTITIONS = 4;
  private static final long EVERY_MS = 1_000;
  private static final Duration AHEAD = Duration.ofSeconds(3);
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final World<?> world;
  private final int occurrences;
  private final Calendar calendar;

  private Schedules(World<?> world, int occurrences) {
    this.world = world;
    this.occurrences = occurrences;
    this.calendar =
        new Calendar(System.currentTimeMillis() + AHEAD.toMillis(), occurrences, world::found);
  }

  /**
   * Returns the bound on duplicates at least once: per fault, the occurrences since a checkpoint.
   */
  static long repeats(History history) {
    long each = COUNT * (1 + BridgeConfig.CHECKPOINT_MS / EVERY_MS);
    return history.injections().size() * each;
  }

  /** A fault with schedules that begin with the first injection and are checked after the last. */
  static final class Run implements Fault<Single> {

    /** The approximate seconds between two injections, each of which waits for a recovery. */
    private static final int OCCURRENCES_PER_INJECTION = 12;

    private final Fault<Single> fault;
    private @Nullable Schedules schedules;
    private int injected;

    Run(Fault<Single> fault) {
      this.fault = fault;
    }

    @Override
    public boolean inject(World<Single> world, RandomGenerator random) {
      int injections = world.shape().injections();
      if (schedules == null) {
        schedules = new Schedules(world, injections * OCCURRENCES_PER_INJECTION);
        schedules.write();
      }
      boolean happened = fault.inject(world, random);
      injected += happened ? 1 : 0;
      if (injected == injections) {
        schedules.check();
        schedules = null;
        injected = 0;
      }
      return happened;
    }
  }

  private void write() {
    World.await(
        world
            .admin()
            .createTopics(
                List.of(
                    new NewTopic(TARGET, Optional.of(PARTITIONS), Optional.empty())
                        // The broker's clock, not the bridge's, determines what is early.
                        .configs(Map.of("message.timestamp.type", "LogAppendTime"))))
            .all());
    world.send(IntStream.range(0, COUNT).mapToObj(this::request));
  }

  private ProducerRecord<byte[], byte[]> request(int number) {
    byte[] name = Load.bytes("schedule-" + number);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(INTAKE, number % world.shape().partitions(), name, Load.bytes(number));
    Map.of(
            DelayHeaders.TARGET_TOPIC,
            TARGET,
            DelayHeaders.ID,
            "schedule-" + number,
            DelayHeaders.DELIVER_AT,
            calendar.scheduledAt(number, 1),
            DelayHeaders.EVERY,
            Duration.ofMillis(EVERY_MS),
            DelayHeaders.COUNT,
            occurrences,
            // Every occurrence must come, however long an outage lasts.
            DelayHeaders.MISSED,
            DelayHeaders.MISSED_ALL)
        .forEach((header, value) -> record.headers().add(header, Load.bytes(value)));
    return record;
  }

  /** Reads and checks the arrivals until all are there, or none has come for some minutes. */
  private void check() {
    int all = COUNT * occurrences;
    List<TopicPartition> partitions = Intake.partitions(TARGET, PARTITIONS);
    try (KafkaConsumer<byte[], byte[]> consumer =
        Arrivals.consumer(world.servers().kafka(), partitions)) {
      int before = -1;
      while (calendar.arrived() < all && calendar.arrived() > before) {
        before = calendar.arrived();
        int had = before;
        Wait.upTo(
            LIMIT,
            () -> {
              consumer.poll(Duration.ofMillis(200)).forEach(calendar::arrived);
              return calendar.arrived() >= Math.min(all, had + COUNT);
            });
      }
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      Wait.until(
          "the end of " + TARGET,
          LIMIT,
          () -> {
            consumer.poll(Duration.ofMillis(200)).forEach(calendar::arrived);
            return Arrivals.reached(consumer, ends);
          });
    }
    calendar.conclude();
  }

  /** The expected occurrences and those that have arrived. */
  static final class Calendar {

    private final long firstDue;
    private final int occurrences;
    private final BiConsumer<Violation, String> findings;
    private final BitSet arrived = new BitSet();

    /**
     * @param firstDue due time of the very first occurrence, epoch milliseconds
     * @param occurrences number of occurrences of each schedule
     * @param findings receives the violations
     */
    Calendar(long firstDue, int occurrences, BiConsumer<Violation, String> findings) {
      this.firstDue = firstDue;
      this.occurrences = occurrences;
      this.findings = findings;
    }

    /** Returns when an occurrence is due; the schedules are spread over the second. */
    long scheduledAt(int number, int occurrence) {
      return firstDue + number * EVERY_MS / COUNT + (occurrence - 1) * EVERY_MS;
    }

    /** Returns the number of different occurrences that have arrived. */
    int arrived() {
      return arrived.cardinality();
    }

    void arrived(ConsumerRecord<byte[], byte[]> record) {
      int number = Integer.parseInt(new String(record.value(), StandardCharsets.UTF_8));
      int occurrence = (int) header(record, DelayHeaders.OCCURRENCE);
      String what =
          "occurrence %d of schedule-%d at %s-%d/%d"
              .formatted(occurrence, number, TARGET, record.partition(), record.offset());
      if (occurrence < 1 || occurrence > occurrences) {
        findings.accept(Violation.STRANGE, what);
        return;
      }
      int at = (occurrence - 1) * COUNT + number;
      if (arrived.get(at)) {
        findings.accept(Violation.DUPLICATED, what);
      }
      arrived.set(at);
      long scheduledAt = scheduledAt(number, occurrence);
      if (header(record, DelayHeaders.SCHEDULED_AT) != scheduledAt) {
        findings.accept(Violation.CORRUPTED, what + ": not for " + scheduledAt);
      }
      if (record.timestamp() < scheduledAt) {
        findings.accept(Violation.EARLY, what + ": written " + record.timestamp());
      }
    }

    /** Reports the occurrences that have not arrived, once the last record was read. */
    void conclude() {
      int all = COUNT * occurrences;
      for (int at = arrived.nextClearBit(0); at < all; at = arrived.nextClearBit(at + 1)) {
        findings.accept(
            Violation.LOST, "occurrence %d of schedule-%d".formatted(at / COUNT + 1, at % COUNT));
      }
    }

    private static long header(ConsumerRecord<byte[], byte[]> record, String name) {
      String text = Judge.text(record, name);
      return text.isEmpty() ? 0 : Long.parseLong(text);
    }
  }
}
