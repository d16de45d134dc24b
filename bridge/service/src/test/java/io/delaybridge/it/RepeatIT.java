package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.it.Api.Answer;
import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that repeat, on a real Kafka and a real Redis. */
class RepeatIT {

  private static final Duration LONG = Duration.ofMinutes(3);
  private static final String AN_HOUR = "{\"delay\": \"PT1H\"}";
  private static final String NIGHTLY = "messages/nightly/7";
  private static final int SCHEDULES = 40;
  private static final int OCCURRENCES = 12;
  private static World world;

  @BeforeAll
  static void start() {
    world = World.start();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  private static Scenario scenario() {
    return world.scenario().withTarget();
  }

  private static String[] everySecond(Scenario scenario, String id, long first, String... more) {
    List<String> headers =
        new ArrayList<>(
            List.of(
                DelayHeaders.TARGET_TOPIC,
                scenario.target,
                DelayHeaders.ID,
                id,
                DelayHeaders.DELIVER_AT,
                Long.toString(first),
                DelayHeaders.EVERY,
                "PT1S"));
    headers.addAll(List.of(more));
    return headers.toArray(new String[0]);
  }

  private static long number(Arrival arrival, String header) {
    return Long.parseLong(String.valueOf(arrival.header(header)));
  }

  private static List<Long> numbers(Inbox inbox, String source) {
    return inbox.of(source).stream()
        .map(arrival -> number(arrival, DelayHeaders.OCCURRENCE))
        .toList();
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  /** Messages that were due earlier on the only partition have arrived once this one has. */
  private static void barrier(Scenario scenario, Inbox inbox, long delay) {
    RecordMetadata sent =
        scenario.send(
            "k",
            "barrier",
            DelayHeaders.TARGET_TOPIC,
            scenario.target,
            DelayHeaders.DELAY_MS,
            Long.toString(delay));
    inbox.awaitOne(Scenario.source(sent), LONG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly_once", "at_least_once"})
  void each_occurrence_comes_although_bridges_die_and_redis_is_emptied(String guarantee) {
    try (Scenario scenario = scenario().guarantee(guarantee)) {
      BridgeProcess first = scenario.bridge();
      BridgeProcess second = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      long begin = System.currentTimeMillis() + 1_000;
      List<String> sources = new ArrayList<>();
      for (int i = 0; i < SCHEDULES; i++) {
        String[] headers =
            everySecond(
                scenario,
                "s" + i,
                begin + 10L * i,
                DelayHeaders.MISSED,
                "all",
                DelayHeaders.COUNT,
                Integer.toString(OCCURRENCES));
        sources.add(Scenario.source(scenario.send("s" + i, "v", headers)));
      }

      inbox.awaitCount(SCHEDULES * 3, LONG);
      first.kill();
      inbox.awaitCount(SCHEDULES * 5, LONG);
      assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");
      first.start();
      inbox.awaitCount(SCHEDULES * 8, LONG);
      second.kill();
      await()
          .atMost(LONG)
          .until(
              () ->
                  sources.stream()
                      .allMatch(source -> numbers(inbox, source).contains((long) OCCURRENCES)));
      second.start().awaitHealthy(LONG);
      barrier(scenario, inbox, 1_500);

      for (int i = 0; i < SCHEDULES; i++) {
        List<Long> numbers = numbers(inbox, sources.get(i));
        if (guarantee.equals("exactly_once")) {
          assertThat(numbers).containsExactlyInAnyOrderElementsOf(upTo(OCCURRENCES));
        } else {
          assertThat(numbers).hasSameElementsAs(upTo(OCCURRENCES));
        }
        for (Arrival arrival : inbox.of(sources.get(i))) {
          long at = begin + 10L * i + 1_000 * (number(arrival, DelayHeaders.OCCURRENCE) - 1);
          assertThat(number(arrival, DelayHeaders.SCHEDULED_AT)).isEqualTo(at);
          assertThat(arrival.record().timestamp()).isGreaterThanOrEqualTo(at);
          assertThat(arrival.record().topic()).isEqualTo(scenario.target);
          assertThat(arrival.header(DelayHeaders.SCHEDULE)).isEqualTo("s" + i);
        }
      }
    }
  }

  @Test
  void nothing_comes_after_the_cancel_was_read() {
    try (Scenario scenario = scenario().partitions(1)) {
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      String source =
          Scenario.source(
              scenario.send(
                  "k", "v", everySecond(scenario, "x", System.currentTimeMillis() + 500)));
      await().atMost(LONG).until(() -> inbox.of(source).size() >= 2);

      scenario.send("k", null, DelayHeaders.ID, "x", DelayHeaders.OP, DelayHeaders.OP_CANCEL);
      barrier(scenario, inbox, 0);
      int then = inbox.of(source).size();
      barrier(scenario, inbox, 3_000);

      assertThat(inbox.of(source)).hasSize(then);
      assertThat(numbers(inbox, source)).isEqualTo(upTo(then));
    }
  }

  @Test
  void what_was_missed_while_no_bridge_ran_is_what_the_message_says() {
    try (Scenario scenario = scenario().partitions(1)) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      long begin = System.currentTimeMillis() + 1_000;
      String one = missing(scenario, "one", begin);
      String all = missing(scenario, "all", begin);
      String skip = missing(scenario, "skip", begin);
      await()
          .atMost(LONG)
          .until(() -> List.of(one, all, skip).stream().noneMatch(it -> inbox.of(it).isEmpty()));
      bridge.kill();
      long down = System.currentTimeMillis();
      await().atMost(LONG).until(() -> System.currentTimeMillis() > down + 4_500);
      bridge.start();

      await()
          .atMost(LONG)
          .until(
              () ->
                  List.of(one, all, skip).stream()
                      .allMatch(it -> last(inbox, it) > System.currentTimeMillis() - 900));
      assertThat(late(inbox, one)).isGreaterThanOrEqualTo(1);
      assertNoneWasPastWhenTheOneBeforeWentOut(inbox.of(one));
      assertThat(late(inbox, all)).isGreaterThanOrEqualTo(4);
      assertThat(late(inbox, skip)).isZero();
      assertThat(instants(inbox, all))
          .isEqualTo(
              LongStream.range(0, inbox.of(all).size())
                  .map(i -> begin + 1_000 * i)
                  .boxed()
                  .toList());
    }
  }

  private static String missing(Scenario scenario, String missed, long begin) {
    String[] headers = everySecond(scenario, missed, begin, DelayHeaders.MISSED, missed);
    return Scenario.source(scenario.send("k", "v", headers));
  }

  private static List<Long> instants(Inbox inbox, String source) {
    return inbox.of(source).stream()
        .map(arrival -> number(arrival, DelayHeaders.SCHEDULED_AT))
        .toList();
  }

  private static long last(Inbox inbox, String source) {
    return instants(inbox, source).stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** So only one of the occurrences that were missed together was delivered. */
  private static void assertNoneWasPastWhenTheOneBeforeWentOut(List<Arrival> arrivals) {
    for (int i = 1; i < arrivals.size(); i++) {
      assertThat(number(arrivals.get(i), DelayHeaders.SCHEDULED_AT))
          .isGreaterThan(number(arrivals.get(i - 1), DelayHeaders.DELIVERED_AT));
    }
  }

  /** Returns the number of occurrences that arrived when the next one was already due. */
  private static long late(Inbox inbox, String source) {
    return inbox.of(source).stream()
        .filter(
            arrival ->
                number(arrival, DelayHeaders.DELIVERED_AT)
                    >= number(arrival, DelayHeaders.SCHEDULED_AT) + 1_000)
        .count();
  }

  @Test
  void it_survives_the_loss_of_redis_though_its_request_is_not_in_the_intake_any_more() {
    try (Scenario scenario = scenario().partitions(1)) {
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      String[] headers =
          everySecond(scenario, "x", System.currentTimeMillis() + 500, DelayHeaders.COUNT, "9");
      String source = Scenario.source(scenario.send("k", "v", headers));
      await().atMost(LONG).until(() -> inbox.of(source).size() >= 3);

      TopicPartition intake = new TopicPartition(scenario.intake, 0);
      Scenario.get(
          world.admin.deleteRecords(Map.of(intake, RecordsToDelete.beforeOffset(2))).all());
      assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");

      await().atMost(LONG).until(() -> inbox.of(source).size() >= 9);
      barrier(scenario, inbox, 1_500);
      assertThat(numbers(inbox, source)).isEqualTo(upTo(9));
    }
  }

  /** Leap days are years apart, and the longest delay is one year. */
  @Test
  void a_calendar_may_wait_longer_than_the_longest_delay() {
    try (Scenario scenario = scenario().partitions(1)) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      String body =
          """
          {"target": "%s", "id": "leap", "repeat": {"cron": "0 9 29 2 *"}}
          """
              .formatted(scenario.target);

      Answer made = api.post("messages", body);
      assertThat(made.status()).as("%s", made.body()).isEqualTo(202);
      assertThat(isLeapDay(made.body().path("due").asLong())).isTrue();
      Answer shown =
          await()
              .atMost(LONG)
              .until(
                  () -> api.get("messages/leap"),
                  answer -> answer.body().path("state").asText().equals("FAR"));
      assertThat(shown.body().path("due")).isEqualTo(made.body().path("due"));
      assertThat(shown.body().path("repeat").path("next"))
          .hasSize(5)
          .allMatch(next -> isLeapDay(next.asLong()));

      assertThat(api.delete("messages/leap").status()).isEqualTo(200);
      barrier(scenario, inbox, 0);
      assertThat(inbox.of(made.body().path("source").asText())).isEmpty();
    }
  }

  private static boolean isLeapDay(long millis) {
    return Instant.ofEpochMilli(millis).toString().endsWith("-02-29T09:00:00Z");
  }

  @Test
  void the_api_schedules_shows_pauses_runs_and_ends_it() {
    try (Scenario scenario = scenario().partitions(1)) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      Answer made =
          api.post(
              "messages",
              """
              {"target": "%s", "id": "nightly/7", "value": "v", "headers": {"own": "1"},
               "repeat": {"cron": "* * * * * *", "zone": "Europe/Berlin", "count": 1000}}
              """
                  .formatted(scenario.target));
      assertThat(made.status()).as("%s", made.body()).isEqualTo(202);
      String source = made.body().path("source").asText();
      await().atMost(LONG).until(() -> inbox.of(source).size() >= 2);

      Answer shown = await().atMost(LONG).until(() -> api.get(NIGHTLY), RepeatIT::hasLast);
      JsonNode repeat = shown.body().path("repeat");
      assertThat(repeat.path("rule").asText()).isEqualTo("every second (Europe/Berlin)");
      assertThat(repeat.path("count").asInt()).isEqualTo(1000);
      assertThat(repeat.path("missed").asText()).isEqualTo("one");
      long first = repeat.path("next").path(0).asLong();
      assertThat(first % 1_000).isZero();
      for (int i = 0; i < 5; i++) {
        assertThat(repeat.path("next").path(i).asLong()).isEqualTo(first + 1_000L * i);
      }
      assertThat(repeat.path("last").path("wentAt").asLong())
          .isGreaterThanOrEqualTo(repeat.path("last").path("scheduledAt").asLong());

      Answer paused =
          await()
              .atMost(LONG)
              .until(() -> api.post(NIGHTLY + "/pause", AN_HOUR), RepeatIT::isNotTooLate);
      assertThat(paused.status()).as("%s", paused.body()).isEqualTo(200);
      barrier(scenario, inbox, 0);
      int then = inbox.of(source).size();
      assertThat(api.get(NIGHTLY).body().path("repeat").path("pausedUntil").asLong())
          .isEqualTo(paused.body().path("due").asLong());
      JsonNode listed = api.get("messages?repeating=true").body().path("messages").path(0);
      assertThat(listed.path("id").asText()).isEqualTo("nightly/7");

      String extra = api.post(NIGHTLY + "/run", null).body().path("source").asText();
      Arrival beside = inbox.awaitOne(extra, LONG);
      assertThat(beside.header("own")).isEqualTo("1");
      assertThat(beside.header(DelayHeaders.SCHEDULE)).isEqualTo("nightly/7");
      assertThat(beside.record().headers().lastHeader(DelayHeaders.OCCURRENCE)).isNull();
      barrier(scenario, inbox, 2_500);
      assertThat(inbox.of(source)).hasSize(then);

      assertThat(api.post(NIGHTLY + "/resume", null).status()).isEqualTo(200);
      await().atMost(LONG).until(() -> inbox.of(source).size() >= then + 2);
      assertThat(numbers(inbox, source)).isEqualTo(upTo(inbox.of(source).size()));
      assertThat(api.post(NIGHTLY + "/resume", null).status()).isEqualTo(409);

      // For a year: it is far then, and what is far is said anew, so its source is another one.
      await().atMost(LONG).until(() -> api.post(NIGHTLY + "/pause", null), RepeatIT::isNotTooLate);
      await()
          .atMost(LONG)
          .until(() -> api.get(NIGHTLY).body().path("state").asText().equals("FAR"));
      listed = api.get("messages?repeating=true").body().path("messages").path(0);
      assertThat(listed.path("id").asText()).isEqualTo("nightly/7");
      assertThat(listed.path("state").asText()).isEqualTo("FAR");
      barrier(scenario, inbox, 0);
      long last = occurrences(inbox);
      assertThat(api.post(NIGHTLY + "/resume", null).status()).isEqualTo(200);
      await().atMost(LONG).until(() -> occurrences(inbox) >= last + 2);

      await().atMost(LONG).until(() -> api.delete(NIGHTLY), RepeatIT::isNotTooLate);
      barrier(scenario, inbox, 0);
      long end = occurrences(inbox);
      barrier(scenario, inbox, 2_500);
      assertThat(occurrences(inbox)).isEqualTo(end);
      assertThat(api.post(NIGHTLY + "/run", null).status()).isEqualTo(404);
    }
  }

  /** Returns the number of occurrences, each of which has arrived once. */
  private static long occurrences(Inbox inbox) {
    List<Long> numbers =
        inbox.all().stream()
            .filter(
                arrival -> arrival.record().headers().lastHeader(DelayHeaders.OCCURRENCE) != null)
            .map(arrival -> number(arrival, DelayHeaders.OCCURRENCE))
            .sorted()
            .toList();
    assertThat(numbers).isEqualTo(upTo(numbers.size()));
    return numbers.size();
  }

  private static boolean hasLast(Answer answer) {
    return answer.body().path("repeat").hasNonNull("last");
  }

  /** An occurrence went out between the look and the ask. */
  private static boolean isNotTooLate(Answer answer) {
    return answer.status() != 409;
  }
}
