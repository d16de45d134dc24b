package io.delaybridge.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.it.Api.Answer;
import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.schemas.DelayHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dead letters as two instances see them, and the results of replays. */
class ReplayIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String TARGET = DelayHeaders.TARGET_TOPIC;

  private static World world;
  private static Scenario scenario;
  private static Inbox inbox;
  private static Api one;
  private static Api other;

  @BeforeAll
  static void start() {
    world = World.shared();
    scenario =
        world
            .scenario()
            .withTarget()
            .partitions(4)
            .deadLetters("maxReplays", "2")
            .deadLetters("alert", "{threshold: 0}");
    one = new Api(scenario.bridge());
    other = new Api(scenario.bridge());
    inbox = scenario.inbox(scenario.target);
  }

  @AfterAll
  static void stop() {
    scenario.close();
  }

  private static ProducerRecord<byte[], byte[]> doomed(String key, String value, String target) {
    return scenario.record(
        key, value, TARGET, target, DelayHeaders.DELAY_MS, "1", DelayHeaders.MAX_ATTEMPTS, "1");
  }

  private static String die(String key, String value, String target) {
    return Scenario.source(scenario.send(doomed(key, value, target)));
  }

  /** Waits until both instances know the letter, and returns their answer. */
  private static JsonNode awaitLetter(String source) {
    for (Api api : List.of(one, other)) {
      await().atMost(SOON).until(() -> api.get("deadletters/" + source).status() == 200);
    }
    JsonNode letter = one.get("deadletters/" + source).body();
    assertThat(other.get("deadletters/" + source).body()).isEqualTo(letter);
    return letter;
  }

  private static void awaitState(String source, String state) {
    for (Api api : List.of(one, other)) {
      await()
          .atMost(SOON)
          .until(
              () -> api.get("deadletters/" + source).body().path("state").asText().equals(state));
    }
  }

  private static Answer replay(Api api, String source) {
    return api.post("deadletters/" + source + "/replay", null);
  }

  private static void exists(String target) {
    world.createTopic(target, 1, Map.of());
    // A bridge asks about a missing topic again after a second; until then it is still missing.
    await().atMost(SOON).pollDelay(Duration.ofMillis(1_500)).until(() -> world.knows(target));
  }

  @Test
  void a_dead_letter_without_a_key_is_listed_counted_and_shown_alike_by_both_instances() {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(scenario.intake, null, null, "ö".getBytes(UTF_8));
    record.headers().add(TARGET, "nowhere-1".getBytes(UTF_8));
    record.headers().add("mine", "kept".getBytes(UTF_8));
    record.headers().add("mine", new byte[] {0, -1});
    byte[] nothing = null;
    record.headers().add("mine", nothing);
    record.headers().add(DelayHeaders.ID, "an-id".getBytes(UTF_8));
    String source = Scenario.source(scenario.send(record));

    JsonNode letter = awaitLetter(source);
    assertThat(letter.path("reason").asText()).isEqualTo("NO_DUE_TIME");
    assertThat(letter.path("target").asText()).isEqualTo("nowhere-1");
    assertThat(letter.path("id").asText()).isEqualTo("an-id");
    assertThat(letter.path("state").asText()).isEqualTo("NEW");
    assertThat(letter.path("bytes").asInt()).isEqualTo(2);
    assertThat(letter.path("position").asText()).startsWith(scenario.deadLetters + "/");
    assertThat(letter.has("value")).isFalse();
    JsonNode list = one.get("deadletters?target=nowhere-1&reason=NO_DUE_TIME").body();
    assertThat(list.path("deadLetters")).containsExactly(letter);
    assertThat(other.get("deadletters?target=nowhere-1").body()).isEqualTo(list);
    JsonNode counts = one.get("deadletters/counts?window=PT1H").body();
    assertThat(counts.path("counts").toString())
        .contains("\"reason\":\"NO_DUE_TIME\",\"target\":\"nowhere-1\"");
    JsonNode value = other.get("deadletters/" + source + "?value=true").body().path("value");
    assertThat(value.path("key").isNull()).isTrue();
    assertThat(value.path("value").asText()).isEqualTo("ö");
    assertThat(value.path("headers").toString())
        .contains(
            """
            {"name":"mine","value":"kept"},{"name":"mine","valueBase64":"AP8="},\
            {"name":"mine","value":null}""");
  }

  @Test
  void a_replay_reaches_the_target_once_and_both_instances_know() {
    ProducerRecord<byte[], byte[]> record = doomed("k", "v", "late-topic");
    record.headers().add("mine", new byte[] {0, -1});
    String source = Scenario.source(scenario.send(record));
    awaitLetter(source);
    exists("late-topic");
    Inbox late = scenario.inbox("late-topic");

    Answer answer = awaitReplayThatLives(source);

    String again = answer.body().path("source").asText();
    Arrival arrival = late.awaitOne(again, SOON);
    assertThat(arrival.record().key()).isEqualTo(record.key());
    assertThat(arrival.value()).isEqualTo("v");
    assertThat(arrival.record().headers().lastHeader("mine").value()).containsExactly(0, -1);
    assertThat(arrival.header(DelayHeaders.REPLAY)).isEqualTo("1");
    assertThat(again).startsWith(source.substring(0, source.lastIndexOf('/')));
    awaitState(source, "REPLAYED");
    assertThat(awaitLetter(source).path("replayedAs").asText()).isEqualTo(again);
    for (Api api : List.of(one, other)) {
      Answer refused = replay(api, source);
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.body().path("code").asText()).isEqualTo("ALREADY");
    }
    assertThat(late.all()).hasSize(1);
    assertThat(other.post("deadletters/" + source + "/replay?force=true", null).status())
        .isEqualTo(202);
    late.awaitCount(2, SOON);
  }

  private static Answer awaitReplayThatLives(String source) {
    Answer answer = replay(one, source);
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(202);
    assertThat(answer.body().path("replays").asInt()).isEqualTo(1);
    return answer;
  }

  @Test
  void a_message_that_dies_again_and_again_is_not_replayed_for_ever() {
    String source = die("loop", "v", "nowhere-2");
    for (int replays = 1; replays <= 2; replays++) {
      awaitLetter(source);
      Answer answer = replay(replays == 1 ? one : other, source);
      assertThat(answer.status()).isEqualTo(202);
      assertThat(answer.body().path("replays").asInt()).isEqualTo(replays);
      source = answer.body().path("source").asText();
      assertThat(awaitLetter(source).path("replays").asInt()).isEqualTo(replays);
    }

    Answer refused = replay(one, source);

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body().path("code").asText()).isEqualTo("LOOP");
    assertThat(refused.body().path("detail").asText()).contains("after 2 replays");
  }

  @Test
  void a_malformed_request_is_replayed_only_with_the_headers_that_were_wrong() {
    String source =
        Scenario.source(
            scenario.send("k", "mended", TARGET, "no such name", DelayHeaders.DELAY_MS, "1"));
    awaitLetter(source);

    Answer refused = replay(one, source);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body().path("code").asText()).isEqualTo("MALFORMED");
    Answer worse =
        one.post("deadletters/" + source + "/replay", "{\"headers\":{\"delay-ttl-ms\":\"x\"}}");
    assertThat(worse.body().path("code").asText()).isEqualTo("MALFORMED");
    Answer reserved =
        one.post("deadletters/" + source + "/replay", "{\"headers\":{\"delay-retry\":\"x\"}}");
    assertThat(reserved.status()).isEqualTo(400);
    Answer mended =
        one.post(
            "deadletters/" + source + "/replay",
            "{\"headers\":{\"delay-target-topic\":\"" + scenario.target + "\"}}");
    assertThat(mended.status()).as(mended.body().toString()).isEqualTo(202);
    assertThat(inbox.awaitOne(mended.body().path("source").asText(), SOON).value())
        .isEqualTo("mended");
  }

  @Test
  void a_handled_dead_letter_is_handled_for_both_instances_and_not_replayed() {
    String source = die("k", "v", "nowhere-3");
    awaitLetter(source);

    assertThat(one.delete("deadletters/" + source).status()).isEqualTo(204);

    awaitState(source, "HANDLED");
    assertThat(other.delete("deadletters/" + source).status()).isEqualTo(204);
    assertThat(replay(other, source).status()).isEqualTo(409);
    assertThat(one.get("deadletters?target=nowhere-3&state=NEW").body().path("deadLetters"))
        .isEmpty();
    assertThat(one.get("deadletters?target=nowhere-3&state=HANDLED").body().path("deadLetters"))
        .hasSize(1);
  }

  @Test
  void a_list_is_paged_from_the_newest_to_the_oldest() {
    List<String> sources = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      sources.add(0, die("same", "v" + i, "nowhere-4"));
      awaitLetter(sources.get(0));
    }

    List<String> listed = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = one.get("deadletters?target=nowhere-4&limit=2" + cursor).body();
      page.path("deadLetters").forEach(letter -> listed.add(letter.path("source").asText()));
      cursor = page.path("cursor").isNull() ? "" : "&cursor=" + page.path("cursor").asText();
    } while (!cursor.isEmpty());

    assertThat(listed).isEqualTo(sources);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "deadletters?limit=0",
        "deadletters?limit=501",
        "deadletters?state=OLD",
        "deadletters?state=",
        "deadletters?intake=elsewhere",
        "deadletters?from=",
        "deadletters/counts?intake=elsewhere",
        "deadletters?from=yesterday",
        "deadletters?to=1796000000",
        "deadletters?cursor=x",
        "deadletters/counts?window=PT1S",
        "deadletters/counts?window=soon"
      })
  void a_question_that_is_none_is_told_what_is_allowed(String path) {
    Answer answer = one.get(path);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body().path("detail").asText()).contains("allowed: ");
  }

  /** Nor do seconds, which would be a time long ago. */
  @ParameterizedTest
  @CsvSource({"from, '\"\"'", "to, '\"\"'", "from, 1796000000", "to, 1796000000"})
  void an_empty_bound_of_a_replay_does_not_mean_all(String name, String bound) {
    Answer answer =
        one.post("deadletters/replay", "{\"dryRun\": true, \"%s\": %s}".formatted(name, bound));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body().path("detail").asText()).contains(name, "allowed: ");
  }

  @Test
  void an_intake_that_is_none_does_not_mean_none_and_not_all() {
    String source = die("k", "v", "nowhere-intake");
    awaitLetter(source);
    String query = "deadletters?target=nowhere-intake&intake=";
    String dry = "{\"dryRun\": true, \"target\": \"nowhere-intake\", \"intake\": \"%s\"}";

    assertThat(one.get(query + scenario.intake).body().path("deadLetters")).hasSize(1);
    Answer mine = one.post("deadletters/replay", dry.formatted(scenario.intake));
    assertThat(mine.body().path("matches").asInt()).isEqualTo(1);
    for (String intake : List.of("elsewhere", "", scenario.intake + "/0")) {
      Answer answer = one.post("deadletters/replay", dry.formatted(intake));
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body().path("detail").asText())
          .isEqualTo("intake is '%s', allowed: %s".formatted(intake, scenario.intake));
    }
  }

  @Test
  void what_is_not_there_is_not_found() {
    assertThat(one.get("deadletters/" + scenario.intake + "/0/999999").status()).isEqualTo(404);
    assertThat(replay(one, scenario.intake + "/0/999999").status()).isEqualTo(404);
    assertThat(one.delete("deadletters/" + scenario.intake + "/0/999999").status()).isEqualTo(404);
    assertThat(one.get("replays/none").status()).isEqualTo(404);
  }

  @Test
  void many_are_replayed_at_the_rate_that_was_asked_for_and_every_instance_tells_how_far_it_is() {
    String target = "many-topic";
    scenario.sendAll(30, i -> doomed("k" + i, "v" + i, target));
    scenario.send("k", "malformed", TARGET, target);
    awaitMatches(one, target, 30);
    JsonNode dry = one.post("deadletters/replay", body(target, true, "")).body();
    assertThat(dry.path("malformed").asInt()).isEqualTo(1);
    exists(target);
    Inbox many = scenario.inbox(target);

    long began = System.nanoTime();
    Answer started = one.post("deadletters/replay", body(target, false, ",\"perSecond\":15"));
    assertThat(started.status()).isEqualTo(202);
    assertThat(started.body().path("matches").asInt()).isEqualTo(30);
    assertThat(one.post("deadletters/replay", body(target, false, "")).status()).isEqualTo(409);
    String job = "replays/" + started.body().path("job").asText();
    await().atMost(SOON).until(() -> one.get(job).body().path("state").asText().equals("DONE"));

    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isBetween(1_800L, 10_000L);
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonNode progress = other.get(job).body();
              assertThat(progress.path("state").asText()).isEqualTo("DONE");
              assertThat(progress.path("total").asInt()).isEqualTo(30);
              assertThat(progress.path("done").asInt()).isEqualTo(30);
              assertThat(progress.path("perSecond").asInt()).isEqualTo(15);
            });
    many.awaitCount(30, SOON);
    assertThat(many.all().stream().map(Arrival::value).distinct()).hasSize(30);
    awaitMatches(other, target, 0);
    assertThat(many.all()).hasSize(30);
  }

  @Test
  void dead_letters_with_one_id_do_not_replace_each_other_when_all_are_replayed() {
    String target = "one-id-topic";
    for (int i = 1; i <= 3; i++) {
      ProducerRecord<byte[], byte[]> record = doomed("k", "day " + i, target);
      record.headers().add(DelayHeaders.ID, "reminder".getBytes(UTF_8));
      awaitLetter(Scenario.source(scenario.send(record)));
    }
    exists(target);
    Inbox arrived = scenario.inbox(target);

    Answer started = one.post("deadletters/replay", body(target, false, ""));
    String job = "replays/" + started.body().path("job").asText();
    await().atMost(SOON).until(() -> one.get(job).body().path("state").asText().equals("DONE"));

    arrived.awaitCount(3, SOON);
    assertThat(arrived.all())
        .extracting(Arrival::value)
        .containsExactlyInAnyOrder("day 1", "day 2", "day 3");
  }

  @Test
  void two_instances_that_replay_the_same_dead_letters_at_once_replay_each_of_them_once() {
    String target = "both-topic";
    scenario.sendAll(60, i -> doomed("k" + i, "v" + i, target));
    awaitMatches(one, target, 60);
    awaitMatches(other, target, 60);
    exists(target);
    Inbox both = scenario.inbox(target);

    String body = body(target, false, ",\"perSecond\":100");
    List<String> jobs = new ArrayList<>();
    for (Api api : List.of(one, other)) {
      jobs.add("replays/" + api.post("deadletters/replay", body).body().path("job").asText());
    }
    int done = 0;
    for (String job : jobs) {
      await()
          .atMost(Duration.ofSeconds(40))
          .until(() -> one.get(job).body().path("state").asText().equals("DONE"));
      JsonNode progress = one.get(job).body();
      assertThat(progress.path("failed").asInt()).isZero();
      // The second may begin after the first has replayed some: then those are not its matches.
      assertThat(progress.path("done").asInt() + progress.path("skipped").asInt())
          .isEqualTo(progress.path("total").asInt());
      done += progress.path("done").asInt();
    }

    assertThat(done).isEqualTo(60);
    both.awaitCount(60, SOON);
    assertThat(both.all().stream().map(Arrival::value).distinct()).hasSize(60);
    assertThat(both.all()).hasSize(60);
  }

  private static void awaitMatches(Api api, String target, int count) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(
                        api.post("deadletters/replay", body(target, true, ""))
                            .body()
                            .path("matches")
                            .asInt(-1))
                    .isEqualTo(count));
  }

  private static String body(String target, boolean dryRun, String more) {
    return "{\"target\":\"" + target + "\",\"dryRun\":" + dryRun + more + "}";
  }
}
