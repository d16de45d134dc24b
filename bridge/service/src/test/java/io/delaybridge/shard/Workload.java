package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Random writes of producers and operators to the intake of a {@link SimWorld}. */
final class Workload {

  /** The latest due time of a message after the beginning, in milliseconds. */
  private static final int SPAN = 40;

  private static final int LONGEST_DAYS = 400;
  private static final int IDS_OF_A_YEAR = 40;

  static final String REFUSED = "refused";

  private static final List<@Nullable String> IDS = java.util.Arrays.asList(null, "x", "y", "x");

  private final SimWorld world;
  private final Chance chance;
  private final boolean pauses;
  private final boolean plain;
  private final boolean repeats;
  private final boolean year;
  private @Nullable SimTransaction transaction;

  /**
   * Delivery is paused now and then if {@code pauses}; there are only messages without an id if
   * {@code plain}; some of them repeat if {@code repeats}; they are due within 400 days, and have
   * many ids, if {@code year}.
   */
  Workload(
      SimWorld world, Chance chance, boolean pauses, boolean plain, boolean repeats, boolean year) {
    this.year = year;
    this.repeats = repeats;
    this.pauses = pauses;
    this.plain = plain;
    this.world = world;
    this.chance = chance;
  }

  /** Writes a record of any kind. */
  void write() {
    TopicPartition partition = chance.of(world.kafka.intake());
    switch (chance.below(plain ? 7 : 14)) {
      case 0, 1, 2, 3, 4, 5 -> schedule(partition, SimWorld.TARGET);
      case 6 -> schedule(partition, SimWorld.MISSING);
      case 7, 8 -> takeBack(partition);
      case 9 -> append(partition, Map.of(DelayHeaders.TARGET_TOPIC, SimWorld.TARGET));
      case 10, 11, 12 -> ask(partition);
      default ->
          append(
              partition,
              Map.of(
                  DelayHeaders.OP,
                  chance.of(pauses ? List.of("pause", "resume", "resume") : List.of("resume"))));
    }
  }

  private void takeBack(TopicPartition partition) {
    if (!world.kafka.hasTopic(SimLater.TOPIC) || !moveFar(partition)) {
      append(partition, Map.of(DelayHeaders.OP, "cancel", DelayHeaders.ID, id()));
    }
  }

  /**
   * Replaces a message that was seen to be far; returns false if there is none. What retention has
   * deleted was not seen just now.
   */
  private boolean moveFar(TopicPartition partition) {
    ShardId shard = RuleTest.id(partition);
    long seen = world.store.fedTo(shard);
    // Whoever moves a message has read its copy. What is refused never has one.
    List<Map.Entry<String, Long>> far =
        world.store.far(shard).entrySet().stream()
            .filter(each -> !world.mayRefuse(each.getValue()))
            .toList();
    if (far.isEmpty() || chance.oneIn(3) || seen < world.kafka.log(partition).start()) {
      return false;
    }
    Map.Entry<String, Long> one = chance.of(far);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(DelayHeaders.TARGET_TOPIC, SimWorld.TARGET);
    headers.put(DelayHeaders.ID, one.getKey());
    headers.put(DelayHeaders.RETRY, "v3|%d|1|%d|-|%d".formatted(one.getValue(), due(), seen));
    append(partition, headers);
    return true;
  }

  private String id() {
    return year ? "m" + chance.below(IDS_OF_A_YEAR) : chance.of(List.of("x", "y"));
  }

  private long due() {
    long now = world.clock.millis();
    if (year) {
      // Most are far; a few are due within days.
      int days = chance.of(List.of(LONGEST_DAYS, LONGEST_DAYS, LONGEST_DAYS / 10, 3));
      return now + Duration.ofMinutes(chance.below(days * 24 * 60)).toMillis();
    }
    return switch (chance.below(5)) {
      case 0 -> now - 5;
      case 1 -> now;
      // A few instants only, so that some are equal.
      default -> SimWorld.START + 5L * chance.below(SPAN / 5 + 1);
    };
  }

  private void schedule(TopicPartition partition, String target) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(DelayHeaders.TARGET_TOPIC, target);
    headers.put(DelayHeaders.DELIVER_AT, Long.toString(due()));
    String id = IDS.get(chance.below(IDS.size()));
    if (id != null && !plain) {
      headers.put(DelayHeaders.ID, year ? id() : id);
    }
    if (repeats && chance.below(2) == 0) {
      headers.put(DelayHeaders.ID, id());
      headers.put(DelayHeaders.EVERY, "PT1S");
      headers.put(DelayHeaders.COUNT, Integer.toString(1 + chance.below(3)));
      headers.put(DelayHeaders.MISSED, chance.of(List.of("one", "all", "skip")));
    }
    append(partition, headers);
  }

  /** Asks for a message that exists, or did exist, or has another due time. */
  private void ask(TopicPartition partition) {
    Ledger ledger = world.judge.ledger(partition.partition());
    List<Fact> messages =
        ledger.facts(ledger.end()).stream()
            .filter(fact -> fact.isMessage() && !fact.isFar())
            .toList();
    if (messages.isEmpty()) {
      return;
    }
    Fact message = messages.get(messages.size() - 1 - chance.below(messages.size()));
    String op = chance.of(List.of("cancel", "move", "cancel", "move", "reject"));
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(DelayHeaders.OP, op);
    headers.put(DelayHeaders.PENDING, message.name() + (chance.oneIn(10) ? "0" : ""));
    if (message.id() != null) {
      headers.put(DelayHeaders.ID, message.id());
    }
    if (op.equals("move")) {
      headers.put(DelayHeaders.DELIVER_AT, Long.toString(due()));
    }
    append(partition, headers);
  }

  /** Appends a record as it is, perhaps in an open transaction. */
  void append(TopicPartition partition, Map<String, String> named) {
    ProducerRecord<byte[], byte[]> record = record(partition, named, chance.oneIn(12));
    SimTransaction open = chance.below(2) == 1 ? transaction : null;
    long offset =
        open == null ? world.kafka.append(record, false).offset() : open.send(record).offset();
    world.tell("%s offset %d%s is %s", partition, offset, open == null ? "" : " (open)", named);
  }

  static ProducerRecord<byte[], byte[]> record(
      TopicPartition partition, Map<String, String> named, boolean refused) {
    List<Header> headers = new ArrayList<>();
    named.forEach((name, value) -> headers.add(new RecordHeader(name, utf8(value))));
    byte[] value = refused ? utf8(REFUSED) : null;
    return new ProducerRecord<byte[], byte[]>(
        partition.topic(), partition.partition(), (byte[]) null, value, headers);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Begins a transaction of another producer, or ends the open one. */
  void transact() {
    if (transaction == null) {
      world.tell("a producer begins a transaction");
      transaction = world.kafka.begin();
    } else if (chance.below(2) == 0) {
      world.tell("the producer commits");
      transaction.commit();
      transaction = null;
    } else {
      world.tell("the producer aborts");
      transaction.abort();
      transaction = null;
    }
  }

  /** Writes a message that is due within that many milliseconds. */
  void writeDueWithin(int most, TopicPartition partition) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(DelayHeaders.TARGET_TOPIC, SimWorld.TARGET);
    headers.put(DelayHeaders.DELIVER_AT, Long.toString(world.clock.millis() + chance.below(most)));
    if (!plain && chance.below(2) == 0) {
      headers.put(DelayHeaders.ID, id());
    }
    append(partition, headers);
  }

  /** Ends all transactions and pauses. */
  void end() {
    if (transaction != null) {
      transact();
    }
    for (TopicPartition partition : world.kafka.intake()) {
      append(partition, Map.of(DelayHeaders.OP, "resume"));
    }
  }
}
