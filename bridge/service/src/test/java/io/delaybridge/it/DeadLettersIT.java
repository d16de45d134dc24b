package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input, and targets that are not there. */
class DeadLettersIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String TARGET = DelayHeaders.TARGET_TOPIC;
  private static final String MS = DelayHeaders.DELAY_MS;

  private static World world;
  private static Scenario scenario;
  private static Inbox inbox;

  @BeforeAll
  static void start() {
    world = World.shared();
    scenario =
        world
            .scenario()
            .withTarget()
            .allow("(target|missing|later|small|dead|intake|__).*")
            .intake("longestDelay", "1 hour")
            .delivery("retry", "{maxAttempts: 3, firstBackoff: 200ms, maxBackoff: 1s}");
    world.createTopic("small", 1, Map.of("max.message.bytes", "2000"));
    scenario.bridge();
    inbox = scenario.inbox(scenario.target, "small", scenario.deadLetters);
  }

  @AfterAll
  static void stop() {
    scenario.close();
  }

  static Stream<Arguments> bad() {
    String good = scenario.target;
    return Stream.of(
        bad(Reason.NO_TARGET, MS, "10"),
        bad(Reason.UNKNOWN_TARGET, TARGET, "missing-1", MS, "10", "delay-max-attempts", "1"),
        bad(
            Reason.UNKNOWN_TARGET,
            TARGET,
            good,
            MS,
            "10",
            "delay-target-partition",
            "99",
            "delay-max-attempts",
            "1"),
        bad(
            Reason.INVALID_TARGET_PARTITION,
            TARGET,
            good,
            MS,
            "10",
            "delay-target-partition",
            "first"),
        bad(Reason.FORBIDDEN_TARGET, TARGET, "other", MS, "10"),
        bad(Reason.CONTROL_TOPIC, TARGET, scenario.deadLetters, MS, "10"),
        bad(Reason.CONTROL_TOPIC, TARGET, scenario.intake, MS, "10"),
        bad(Reason.CONTROL_TOPIC, TARGET, "__consumer_offsets", MS, "10"),
        bad(Reason.INVALID_TARGET, TARGET, "no such name", MS, "10"),
        bad(Reason.AMBIGUOUS_DUE_TIME, TARGET, good, MS, "10", "delay-duration", "PT1S"),
        bad(Reason.NO_DUE_TIME, TARGET, good),
        bad(Reason.NEGATIVE_DELAY, TARGET, good, MS, "-1"),
        bad(Reason.UNREADABLE_DUE_TIME, TARGET, good, MS, "soon"),
        bad(Reason.UNREADABLE_DUE_TIME, TARGET, good, "delay-deliver-at", "2030-01-01T00:00:00"),
        bad(Reason.UNREADABLE_DUE_TIME, TARGET, good, "delay-deliver-at", "1795710000"),
        bad(Reason.DUE_TIME_OVERFLOW, TARGET, good, MS, "99999999999999999999"),
        bad(Reason.DELAY_TOO_LONG, TARGET, good, MS, "3600001"),
        bad(Reason.INVALID_ID, TARGET, good, MS, "10", "delay-id", "x".repeat(257)),
        bad(Reason.INVALID_ID, TARGET, good, MS, "10", "delay-id", ""),
        bad(Reason.UNKNOWN_OP, TARGET, good, MS, "10", "delay-op", "postpone"),
        bad(Reason.CANCEL_WITHOUT_ID, "delay-op", "cancel"),
        bad(Reason.INVALID_TTL, TARGET, good, MS, "10", "delay-ttl-ms", "1h"),
        bad(Reason.INVALID_MAX_ATTEMPTS, TARGET, good, MS, "10", "delay-max-attempts", "0"),
        bad(Reason.INVALID_SPREAD, TARGET, good, MS, "10", "delay-spread-ms", "-1"),
        bad(Reason.DUPLICATE_HEADER, TARGET, good, MS, "10", MS, "20"),
        bad(Reason.INVALID_RETRY, TARGET, good, "delay-retry", "v1|1|2"),
        bad(Reason.UNKNOWN_HEADER, TARGET, good, MS, "10", "delay-timezone", "UTC"),
        bad(Reason.UNKNOWN_HEADER, "delay-op", "cancel", "delay-idd", "x"));
  }

  private static Arguments bad(Reason reason, String... headers) {
    return Arguments.of(reason, List.of(headers));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void a_bad_request_is_a_dead_letter_with_its_reason_and_does_not_hold_up_the_next(
      Reason reason, List<String> headers) {
    ProducerRecord<byte[], byte[]> record =
        scenario.record("same-key", "its value", headers.toArray(String[]::new));
    record.headers().add("mine", new byte[] {0, (byte) 0xff});
    String source = Scenario.source(scenario.send(record));
    String next =
        Scenario.source(scenario.send("same-key", "next", TARGET, scenario.target, MS, "1"));

    Arrival letter = inbox.awaitOne(source, SOON);
    assertLetter(letter, record, reason);
    assertThat(inbox.awaitOne(next, SOON).record().topic()).isEqualTo(scenario.target);
    assertThat(inbox.of(source)).hasSize(1);
  }

  private static void assertLetter(
      Arrival letter, ProducerRecord<byte[], byte[]> record, Reason reason) {
    assertThat(letter.record().topic()).isEqualTo(scenario.deadLetters);
    assertThat(letter.header(DelayHeaders.DEAD_REASON)).isEqualTo(reason.name());
    assertThat(letter.header(DelayHeaders.DEAD_DETAIL)).isNotBlank();
    assertThat(letter.header(DelayHeaders.DEAD_AT)).matches("[0-9]+");
    assertThat(letter.record().key()).isEqualTo(record.key());
    assertThat(letter.record().value()).isEqualTo(record.value());
    for (Header original : record.headers()) {
      assertThat(letter.record().headers().headers(original.key()))
          .anyMatch(header -> Arrays.equals(header.value(), original.value()));
    }
  }

  @Test
  void a_control_header_that_is_not_utf8_is_a_dead_letter_with_the_bytes_as_they_were() {
    ProducerRecord<byte[], byte[]> record =
        scenario.record("k", "v", TARGET, scenario.target, MS, "10");
    record.headers().add(DelayHeaders.ID, new byte[] {(byte) 0xc3, 0x28});
    assertLetter(
        inbox.awaitOne(Scenario.source(scenario.send(record)), SOON), record, Reason.INVALID_UTF8);
  }

  @Test
  void a_value_that_the_target_does_not_take_is_a_dead_letter_and_the_others_arrive() {
    ProducerRecord<byte[], byte[]> large =
        scenario.record("k", Scenario.noise(5_000), TARGET, "small", MS, "10");
    String source = Scenario.source(scenario.send(large));
    String next = Scenario.source(scenario.send("k", "fits", TARGET, "small", MS, "10"));
    assertLetter(inbox.awaitOne(source, SOON), large, Reason.RECORD_TOO_LARGE);
    assertThat(inbox.awaitOne(next, SOON).record().topic()).isEqualTo("small");
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly_once", "at_least_once"})
  void one_record_that_its_target_refuses_takes_no_other_with_it(String guarantee) {
    try (Scenario other = world.scenario().guarantee(guarantee).withTarget().partitions(1)) {
      String compacted = other.target + "-compacted";
      world.createTopic(compacted, 1, Map.of("cleanup.policy", "compact"));
      other.bridge();
      Inbox arrivals = other.inbox(other.target, compacted);
      Inbox letters = other.inbox(other.deadLetters);
      String due = Long.toString(System.currentTimeMillis() + 3_000);
      String when = DelayHeaders.DELIVER_AT;
      other.sendAll(
          1_000, i -> other.record("k" + i, "x".repeat(500), TARGET, other.target, when, due));
      other.sendAll(20, i -> other.record("c" + i, "good", TARGET, compacted, when, due));
      String keyless =
          Scenario.source(other.send(other.record(null, "bad", TARGET, compacted, when, due)));
      other.sendAll(
          1_000, i -> other.record("l" + i, "x".repeat(500), TARGET, other.target, when, due));
      arrivals.awaitCount(2_020, Duration.ofSeconds(40));
      assertThat(letters.awaitOne(keyless, SOON).header(DelayHeaders.DEAD_REASON))
          .isEqualTo(Reason.REFUSED_BY_TARGET.name());
      assertThat(letters.all()).hasSize(1);
      assertThat(arrivals.distinct()).isEqualTo(2_020);
    }
  }

  /** In full by hand: {@code -Drounds=300}. */
  @ParameterizedTest
  @ValueSource(strings = {"exactly_once", "at_least_once"})
  void on_a_busy_machine_no_message_is_given_up_for_the_fault_of_another(String guarantee) {
    int rounds = Integer.getInteger("rounds", 8);
    Busy busy = Busy.threads(5);
    try (busy;
        Scenario other = world.scenario().guarantee(guarantee).withTarget().partitions(1)) {
      String compacted = other.target + "-compacted";
      world.createTopic(compacted, 1, Map.of("cleanup.policy", "compact"));
      other.bridge();
      Inbox arrivals = other.inbox(other.target, compacted);
      Inbox letters = other.inbox(other.deadLetters);
      String when = DelayHeaders.DELIVER_AT;
      List<String> faulty = new ArrayList<>();
      int valid = 0;
      for (int round = 1; round <= rounds; round++) {
        String due = Long.toString(System.currentTimeMillis() + 700);
        other.sendAll(
            5, i -> other.record("k" + i, "x".repeat(500), TARGET, other.target, when, due));
        int good = round % 4;
        other.sendAll(good, i -> other.record("c" + i, "good", TARGET, compacted, when, due));
        faulty.add(
            Scenario.source(other.send(other.record(null, "bad", TARGET, compacted, when, due))));
        other.sendAll(
            2_000, i -> other.record("l" + i, "x".repeat(300), TARGET, other.target, when, due));
        valid += 5 + good + 2_000;
        arrivals.awaitCount(valid, Duration.ofSeconds(60));
        letters.awaitOne(faulty.get(round - 1), Duration.ofSeconds(60));
      }
      assertThat(letters.all()).as("dead letters").hasSize(faulty.size());
      assertThat(arrivals.distinct()).isEqualTo(valid);
    }
  }

  @Test
  void a_message_that_can_not_be_delivered_within_its_time_to_live_expires() {
    String source =
        Scenario.source(
            scenario.send("k", "v", TARGET, "missing-2", MS, "10", "delay-ttl-ms", "100"));
    assertThat(inbox.awaitOne(source, SOON).header(DelayHeaders.DEAD_REASON))
        .isEqualTo(Reason.EXPIRED.name());
  }

  @Test
  void a_target_that_never_appears_is_a_dead_letter_after_the_attempts() {
    String source =
        Scenario.source(scenario.send("k", "v", TARGET, "missing-3", MS, "10", "delay-id", "m3"));
    Arrival letter = inbox.awaitOne(source, SOON);
    assertThat(letter.header(DelayHeaders.DEAD_REASON)).isEqualTo(Reason.ATTEMPTS_EXHAUSTED.name());
    assertThat(letter.header(DelayHeaders.ATTEMPT)).isEqualTo("3");
    assertThat(letter.header(DelayHeaders.DEAD_DETAIL)).contains("missing-3");
    assertThat(letter.header(DelayHeaders.RETRY)).isNull();
  }

  @Test
  void a_target_that_appears_later_is_reached_by_a_retry() {
    String topic = "later-1";
    String source =
        Scenario.source(
            scenario.send(
                "k", "v", TARGET, topic, MS, "10", "delay-id", "l1", "delay-max-attempts", "30"));
    String other = Scenario.source(scenario.send("k", "v", TARGET, "missing-4", MS, "10"));
    // By the time the other one has used up its attempts, this one has failed at least once.
    inbox.awaitOne(other, SOON);
    assertThat(inbox.of(source)).isEmpty();
    world.createTopic(topic, 1, Map.of());
    try (Inbox later = new Inbox(world.stack.bootstrapServers(), List.of(topic))) {
      Arrival arrival = later.awaitOne(source, SOON);
      assertThat(new String(arrival.record().value(), StandardCharsets.UTF_8)).isEqualTo("v");
      assertThat(Integer.parseInt(String.valueOf(arrival.header(DelayHeaders.ATTEMPT))))
          .isGreaterThan(1);
      assertThat(arrival.header(DelayHeaders.ID)).isEqualTo("l1");
      assertThat(arrival.header(DelayHeaders.SOURCE)).isEqualTo(source);
    }
  }

  @Test
  void a_dead_letter_that_its_topic_does_not_take_either_points_to_the_intake() {
    try (Scenario tight = world.scenario()) {
      world.createTopic(tight.deadLetters, 1, Map.of("max.message.bytes", "2000"));
      tight.bridge();
      Inbox letters = tight.inbox(tight.deadLetters);
      String source = Scenario.source(tight.send("k", Scenario.noise(5_000), MS, "1"));
      String next = Scenario.source(tight.send("k", "y", MS, "1"));
      Arrival letter = letters.awaitOne(source, SOON);
      assertThat(letter.record().value()).isNull();
      assertThat(letter.header(DelayHeaders.DEAD_REASON)).isEqualTo(Reason.NO_TARGET.name());
      assertThat(letter.header(DelayHeaders.DEAD_DETAIL)).contains(source);
      assertThat(letters.awaitOne(next, SOON).value()).isEqualTo("y");
    }
  }
}
