package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.schemas.DelayHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Cancel, replace, order. */
class CancelIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static World world;
  private static Scenario scenario;
  private static Inbox inbox;

  @BeforeAll
  static void start() {
    world = World.shared();
    scenario = world.scenario().withTarget();
    scenario.bridge();
    inbox = scenario.inbox(scenario.target, scenario.deadLetters);
  }

  @AfterAll
  static void stop() {
    scenario.close();
  }

  private static String schedule(String id, String value, int delay) {
    return Scenario.source(
        scenario.send(
            id,
            value,
            DelayHeaders.TARGET_TOPIC,
            scenario.target,
            DelayHeaders.DELAY_MS,
            Integer.toString(delay),
            DelayHeaders.ID,
            id));
  }

  private static void cancel(String id) {
    scenario.send(id, null, DelayHeaders.ID, id, DelayHeaders.OP, DelayHeaders.OP_CANCEL);
  }

  /** Waits for a message; everything due earlier on the partition of that key has arrived then. */
  private static void barrier(String key, int delay) {
    inbox.awaitOne(schedule(key, "barrier", delay), SOON);
  }

  @Test
  void a_message_that_is_cancelled_before_it_is_due_does_not_arrive() {
    String source = schedule("c1", "no", 1_500);
    cancel("c1");
    barrier("c1", 2_500);
    assertThat(inbox.of(source)).isEmpty();
  }

  @Test
  void a_cancel_after_delivery_and_one_of_an_unknown_id_do_nothing() {
    String source = schedule("c2", "yes", 50);
    inbox.awaitOne(source, SOON);
    cancel("c2");
    cancel("nobody");
    barrier("c2", 100);
    assertThat(inbox.of(source)).hasSize(1);
    assertThat(inbox.all()).noneMatch(arrival -> arrival.record().topic().startsWith("dead"));
  }

  @Test
  void a_replacement_that_is_due_earlier_arrives_instead_of_what_it_replaces() {
    String first = schedule("c3", "first", 2_000);
    String second = schedule("c3", "second", 300);
    assertThat(inbox.awaitOne(second, SOON).value()).isEqualTo("second");
    inbox.awaitOne(plain("c3", 2_500), SOON);
    assertThat(inbox.of(first)).isEmpty();
  }

  @Test
  void a_replacement_that_is_due_later_arrives_instead_of_what_it_replaces() {
    // The second is stored before the first is due, also on a busy machine.
    String first = schedule("c4", "first", 3_000);
    String second = schedule("c4", "second", 4_000);
    assertThat(inbox.awaitOne(second, SOON).value()).isEqualTo("second");
    assertThat(inbox.of(first)).isEmpty();
    assertThat(inbox.of(second)).hasSize(1);
  }

  private static String plain(String key, int delay) {
    return Scenario.source(
        scenario.send(
            key,
            "plain",
            DelayHeaders.TARGET_TOPIC,
            scenario.target,
            DelayHeaders.DELAY_MS,
            Integer.toString(delay)));
  }

  @Test
  void per_key_messages_come_in_due_order_and_equal_due_times_in_intake_order() {
    // All are stored before the first is due, also on a busy machine.
    long base = System.currentTimeMillis() + 5_000;
    List<String> expected = new ArrayList<>();
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      long due = base + (i * 7 % 10) * 20L;
      sent.add(
          world.producer.send(
              scenario.record(
                  "ordered",
                  due + "/" + i,
                  DelayHeaders.TARGET_TOPIC,
                  scenario.target,
                  DelayHeaders.DELIVER_AT,
                  Long.toString(due))));
      expected.add("%d/%03d".formatted(due, i));
    }
    expected.sort(null);
    sent.forEach(one -> inbox.awaitOne(Scenario.source(Scenario.get(one)), SOON));
    List<String> arrived =
        inbox.all().stream()
            .map(Arrival::value)
            .filter(value -> value != null && value.matches("[0-9]+/[0-9]+"))
            .map(value -> value.split("/"))
            .map(parts -> "%s/%03d".formatted(parts[0], Integer.parseInt(parts[1])))
            .toList();
    assertThat(arrived).isEqualTo(expected);
  }

  @Test
  void an_arrival_says_where_it_comes_from_and_when_it_was_due() {
    RecordMetadata sent =
        scenario.send(
            "k",
            "v",
            DelayHeaders.TARGET_TOPIC,
            scenario.target,
            DelayHeaders.DELAY_MS,
            "200",
            DelayHeaders.ID,
            "told",
            "mine",
            "kept");
    Arrival arrival = inbox.awaitOne(Scenario.source(sent), SOON);
    assertThat(arrival.header(DelayHeaders.SOURCE)).isEqualTo(Scenario.source(sent));
    assertThat(arrival.header(DelayHeaders.DUE_AT))
        .isEqualTo(Long.toString(sent.timestamp() + 200));
    assertThat(Long.parseLong(String.valueOf(arrival.header(DelayHeaders.DELIVERED_AT))))
        .isBetween(sent.timestamp() + 200, arrival.at());
    assertThat(arrival.header(DelayHeaders.ATTEMPT)).isEqualTo("1");
    assertThat(arrival.header(DelayHeaders.ID)).isEqualTo("told");
    assertThat(arrival.header("mine")).isEqualTo("kept");
    assertThat(arrival.header(DelayHeaders.TARGET_TOPIC)).isNull();
    assertThat(arrival.header(DelayHeaders.DELAY_MS)).isNull();
  }
}
