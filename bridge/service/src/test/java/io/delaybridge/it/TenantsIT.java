package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.it.Api.Answer;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Intakes of one bridge that have rules, limits and tolerances of their own. */
class TenantsIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int TOLERANCE = 500;
  private static World world;
  private static Scenario scenario;
  private static Inbox inbox;
  private static Api api;
  private static String blue;
  private static String green;

  @BeforeAll
  static void start() {
    world = World.shared();
    scenario = world.scenario().partitions(2).delivery("loops", "4").withTarget();
    blue = "blue-" + scenario.intake;
    world.createTopic("blue.inbox", 1, java.util.Map.of());
    scenario.tenant(
        blue,
        "{allowedTargets: ['blue\\..*'], defaultTarget: blue.inbox, longestDelay: 1h,"
            + " largestValue: 100}");
    scenario.tenant("red-" + scenario.intake, "{defaultTarget: blue.inbox, pending: 50}");
    scenario.tenant(
        "far-" + scenario.intake, "{defaultTarget: blue.inbox, pending: 50, horizon: 1h}");
    green = "green-" + scenario.intake;
    scenario.tenant(green, "{tolerance: %dms}".formatted(TOLERANCE));
    scenario.tenant(scenario.intake, "{tolerance: 0ms}");
    api = new Api(scenario.bridge());
    inbox = scenario.inbox(scenario.target, "blue.inbox", scenario.deadLetters);
  }

  @AfterAll
  static void stop() {
    scenario.close();
  }

  private static String send(String intake, String value, String... headers) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            intake, null, System.currentTimeMillis(), null, value.getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < headers.length; i += 2) {
      record.headers().add(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return Scenario.source(scenario.send(record));
  }

  private static String reason(String source) {
    return String.valueOf(inbox.awaitOne(source, SOON).header(DelayHeaders.DEAD_REASON));
  }

  @Test
  void a_message_of_a_tenant_goes_to_the_default_target_of_the_tenant() {
    String source = send(blue, "v", DelayHeaders.DELAY_MS, "0");

    assertThat(inbox.awaitOne(source, SOON).record().topic()).isEqualTo("blue.inbox");
  }

  @Test
  void a_target_that_others_may_use_is_forbidden_to_the_tenant() {
    String[] headers = {DelayHeaders.TARGET_TOPIC, scenario.target, DelayHeaders.DELAY_MS, "0"};

    assertThat(reason(send(blue, "v", headers))).isEqualTo("FORBIDDEN_TARGET");
    assertThat(inbox.awaitOne(send(scenario.intake, "v", headers), SOON).record().topic())
        .isEqualTo(scenario.target);
  }

  @Test
  void a_delay_that_others_may_use_is_too_long_for_the_tenant() {
    assertThat(reason(send(blue, "v", DelayHeaders.DELAY_DURATION, "PT2H")))
        .isEqualTo("DELAY_TOO_LONG");
  }

  @Test
  void a_value_beyond_the_limit_is_a_dead_letter_with_its_content_and_413_over_http() {
    String large = "x".repeat(101);

    String source = send(blue, large, DelayHeaders.DELAY_DURATION, "PT30M");

    assertThat(reason(source)).isEqualTo("QUOTA_EXCEEDED");
    assertThat(inbox.of(source).get(0).value()).isEqualTo(large);
    Answer answer =
        api.post(
            "messages",
            "{\"intake\": \"%s\", \"delay\": \"PT1M\", \"value\": \"%s\"}".formatted(blue, large));
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.body().path("code").asText()).isEqualTo("QUOTA_EXCEEDED");
  }

  @Test
  void a_schedule_beyond_the_limit_is_a_dead_letter_although_it_is_due_at_once() {
    String large = "y".repeat(101);

    String source =
        send(blue, large, DelayHeaders.CRON, "* * * * * *", DelayHeaders.ID, "each-second");

    assertThat(reason(source)).isEqualTo("QUOTA_EXCEEDED");
    await().atMost(SOON).until(() -> api.get("messages/each-second").status() == 404);
    assertThat(inbox.all()).filteredOn(each -> large.equals(each.value())).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"red,PT50M", "far,PT2H"})
  void what_is_pending_beyond_the_quota_is_a_dead_letter_and_429_over_http(
      String tenant, String delay) {
    String intake = tenant + "-" + scenario.intake;
    List<String> sources = new ArrayList<>(sendTo(intake, delay, 0, 50));
    // Messages written during the bridge's lookup of pending ones are not counted, so it looks
    // first.
    await().atMost(SOON).until(() -> pending(intake) >= 50);
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(
                        api.post(
                                "messages",
                                "{\"intake\": \"%s\", \"delay\": \"PT1M\"}".formatted(intake))
                            .status())
                    .isEqualTo(429));
    sources.addAll(sendTo(intake, delay, 50, 120));
    // Most of those beyond the fiftieth; the exact number depends on when pending was looked up.
    await().atMost(SOON).untilAsserted(() -> assertThat(arrived(sources)).isBetween(60L, 80L));
    sources.stream()
        .filter(source -> !inbox.of(source).isEmpty())
        .forEach(source -> assertThat(reason(source)).isEqualTo("QUOTA_EXCEEDED"));
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(pending(intake)).isEqualTo(120 - arrived(sources)));
    assertThat(
            api.post(
                    "messages",
                    "{\"target\": \"%s\", \"delay\": \"PT1M\"}".formatted(scenario.target))
                .status())
        .isEqualTo(202);
  }

  @Test
  void a_message_of_a_tenant_with_a_tolerance_waits_for_it_and_others_do_not() {
    // Not each time: two that share a loop go together, now and then a loop takes all that is due,
    // and the machine may be busy. No loop has all shards of both: it has two of eight.
    assertThat(IntStream.range(0, 30).anyMatch(TenantsIT::waitsAlone)).isTrue();
  }

  /**
   * Sends two messages that are due at the same time. Returns whether the one of the tenant without
   * a tolerance went first, and the other once its tolerance had passed, but not twice.
   */
  private static boolean waitsAlone(int round) {
    long due = System.currentTimeMillis() + 1_000;
    String urgent = sendDue(scenario.intake, round % 2, due);
    String patient = sendDue(green, round / 2 % 2, due);
    long first = lateness(urgent, due);
    long second = lateness(patient, due);
    return first < second && second >= TOLERANCE && second < 2 * TOLERANCE - 100;
  }

  private static String sendDue(String intake, int partition, long due) {
    String at = Long.toString(due);
    return Scenario.source(
        scenario.send(
            Scenario.in(
                intake,
                partition,
                scenario.record(
                    null,
                    "v",
                    DelayHeaders.TARGET_TOPIC,
                    scenario.target,
                    DelayHeaders.DELIVER_AT,
                    at))));
  }

  private static long lateness(String source, long due) {
    long late = inbox.awaitOne(source, SOON).record().timestamp() - due;
    assertThat(late).as("lateness of %s", source).isNotNegative();
    return late;
  }

  /** Every second one has an id. */
  private static List<String> sendTo(String intake, String delay, int from, int to) {
    String when = DelayHeaders.DELAY_DURATION;
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                i % 2 == 0
                    ? send(intake, "v" + i, when, delay)
                    : send(intake, "v" + i, when, delay, DelayHeaders.ID, "q-" + i))
        .toList();
  }

  private static long arrived(List<String> sources) {
    return sources.stream().filter(source -> !inbox.of(source).isEmpty()).count();
  }

  private static long pending(String intake) {
    long pending = 0;
    for (JsonNode shard : api.get("shards").body()) {
      pending += shard.path("topic").asText().equals(intake) ? shard.path("pending").asLong() : 0;
    }
    return pending;
  }
}
