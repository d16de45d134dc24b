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
 * Messages that repeat each second, in an intake and with a target of their own; the load of the
 * row runs beside them. They are written once. Every occurrence is accounted for when the last of
 * them must have come: by its number, its instant of the calendar, and the broker's clock.
 */
final class Schedules {

  /** How many there are. */
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

  /** Most duplicates at least once: of each fault, what came since the last checkpoint. */
  static long repeats(History history) {
    long each = COUNT * (1 + BridgeConfig.CHECKPOINT_MS / EVERY_MS);
    return history.injections().size() * each;
  }

  /** A fault with schedules that begin with the first injection and are checked after the last. */
  static final class Run implements Fault<Single> {

    /** So many seconds pass from one injection to the next, about: each waits for a recovery. */
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
                        // What is early is told by the broker's clock, and not by the bridge's.
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
            // Whatever is down for however long, each one is to come.
            DelayHeaders.MISSED,
            DelayHeaders.MISSED_ALL)
        .forEach((header, value) -> record.headers().add(header, Load.bytes(value)));
    return record;
  }

  /** Reads what has arrived, until all has, or nothing has for some minutes. */
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

  /** Which occurrences there must be, and which have arrived. */
  static final class Calendar {

    private final long firstDue;
    private final int occurrences;
    private final BiConsumer<Violation, String> findings;
    private final BitSet arrived = new BitSet();

    /**
     * @param firstDue epoch milliseconds of the very first
     * @param occurrences of each schedule
     * @param findings is told what is wrong
     */
    Calendar(long firstDue, int occurrences, BiConsumer<Violation, String> findings) {
      this.firstDue = firstDue;
      this.occurrences = occurrences;
      this.findings = findings;
    }

    /** Schedules are spread over the second. */
    long scheduledAt(int number, int occurrence) {
      return firstDue + number * EVERY_MS / COUNT + (occurrence - 1) * EVERY_MS;
    }

    /** How many have arrived, each counted once. */
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

    /** When the last was read: which have not arrived? */
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
