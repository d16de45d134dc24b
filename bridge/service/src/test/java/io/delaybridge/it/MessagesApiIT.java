package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.it.Api.Answer;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API for messages, on two instances, each of which answers for all shards. */
class MessagesApiIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static World world;
  private static Scenario scenario;
  private static Inbox inbox;
  private static Api one;
  private static Api other;

  @BeforeAll
  static void start() {
    world = World.shared();
    // No message is far here; FarMessagesIT covers the differences.
    scenario =
        world.scenario().withTarget().intake("longestDelay", "7 days").intake("horizon", "0s");
    BridgeProcess first = scenario.bridge();
    BridgeProcess second = scenario.bridge();
    inbox = scenario.inbox(scenario.target, scenario.deadLetters);
    one = new Api(first);
    other = new Api(second);
  }

  @AfterAll
  static void stop() {
    scenario.close();
  }

  private static String newId() {
    return "m-" + UUID.randomUUID();
  }

  private static String schedule(String id, String delay) {
    Answer answer =
        one.post(
            "messages",
            "{\"target\":\"%s\",\"delay\":\"%s\",\"id\":\"%s\",\"value\":\"%s\"}"
                .formatted(scenario.target, delay, id, id));
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
    return answer.body().path("source").asText();
  }

  /** A reader sees a message from its commit on; Redis has it until it is settled after that. */
  private static void awaitGone(String id) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(one.get("messages/" + id).status()).isEqualTo(404));
  }

  /** Written by a producer, without an id. */
  private static String send(String value, int delayMillis) {
    return Scenario.source(
        scenario.send(
            null,
            value,
            DelayHeaders.TARGET_TOPIC,
            scenario.target,
            DelayHeaders.DELAY_MS,
            Integer.toString(delayMillis)));
  }

  // Schedule.

  @Test
  void what_is_scheduled_arrives_with_its_key_its_value_and_its_headers() {
    Answer answer =
        one.post(
            "messages",
            """
            {"target": "%s", "delay": "PT0.2S", "id": "%s", "key": "42", "valueBase64": "AP8=",
             "headers": {"tenant": "blue", "delay-callback-url": "http://h/"},
             "ttl": "PT1H", "maxAttempts": 3, "targetPartition": 2}
            """
                .formatted(scenario.target, newId()));
    assertThat(answer.status()).isEqualTo(202);

    Inbox.Arrival arrival = inbox.awaitOne(answer.body().path("source").asText(), SOON);

    assertThat(arrival.record().partition()).isEqualTo(2);
    assertThat(arrival.record().key()).isEqualTo(new byte[] {'4', '2'});
    assertThat(arrival.record().value()).isEqualTo(new byte[] {0, (byte) 0xff});
    assertThat(arrival.header("tenant")).isEqualTo("blue");
    assertThat(arrival.header("delay-callback-url")).isEqualTo("http://h/");
    assertThat(arrival.header(DelayHeaders.DUE_AT)).isEqualTo(answer.body().path("due").asText());
  }

  @Test
  void headers_that_are_scheduled_as_pairs_arrive_in_their_order() {
    Answer answer =
        one.post(
            "messages",
            """
            {"target": "%s", "delay": "PT0.2S", "value": "v", "headers":
              [{"name": "tag", "value": "a"}, {"name": "bytes", "valueBase64": "AP8="},
               {"name": "tag", "value": null}]}
            """
                .formatted(scenario.target));
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);

    Inbox.Arrival arrival = inbox.awaitOne(answer.body().path("source").asText(), SOON);

    assertThat(arrival.record().headers().headers("tag"))
        .extracting(Header::value)
        .containsExactly(new byte[] {'a'}, null);
    assertThat(arrival.record().headers().lastHeader("bytes").value()).containsExactly(0, -1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                                        | delay",
        "{'delay': 'PT1S', 'deliverAt': '2030-01-01T00:00:00Z'}    | either",
        "{'delay': 'soon', 'target': 't'}                          | delay-duration",
        "{'deliverAt': '1795710000', 'target': 't'}                | looks like seconds",
        "{'delay': 'P8D', 'target': 't'}                           | longest",
        "{'delay': 'PT1S', 'target': 'a b'}                        | delay-target-topic",
        "{'delay': 'PT1S', 'target': 't', 'ttl': 'x'}              | ttl",
        "{'delay': 'PT1S', 'target': 't', 'maxAttempts': 0}        | delay-max-attempts",
        "{'delay': 'PT1S', 'target': 't', 'targetPartition': -1}   | delay-target-partition",
        "{'delay': 'PT1S', 'target': 't', 'valueBase64': '*'}      | valueBase64",
        "{'delay': 'PT1S', 'target': 't', 'headers': {'delay-op': 'cancel'}} | delay-op",
        "{'delay': 'PT1S', 'target': 't', 'headers': 'a'}          | an array of headers",
        "{'delay': 'PT1S', 'target': 't', 'headers': [{'name': 'a', 'val': 'b'}]} | headers[0].val",
        "{'delay': 'PT1S', 'target': 't', 'headers': {'delay-timezone': 'UTC'}} | delay-zone?",
        "{'target': 't', 'id': 'x', 'repeat': {'cron': '0 9 29 2 *'}} | if intake.horizon is shorter",
        "{'delay': 'PT1S', 'target': 't', 'intake': 'elsewhere'}   | intake",
        "{'delay': 'PT1S', 'target': 't', 'when': 'now'}           | when"
      })
  void a_request_that_can_not_be_is_refused_by_name(String body, String named) {
    Answer answer = one.post("messages", body.replace('\'', '"'));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body().path("detail").asText()).contains(named);
    assertThat(answer.body().path("status").asInt()).isEqualTo(400);
  }

  // Look up.

  @Test
  void a_message_is_found_by_its_id_and_by_its_source_as_soon_as_it_is_scheduled() {
    String id = newId();
    String source = schedule(id, "PT1H");

    JsonNode byId = other.get("messages/" + id).body();
    JsonNode bySource = other.get("messages/" + source).body();

    assertThat(byId).isEqualTo(bySource);
    assertThat(byId.path("source").asText()).isEqualTo(source);
    assertThat(byId.path("state").asText()).isEqualTo("PENDING");
    assertThat(byId.path("target").asText()).isEqualTo(scenario.target);
    assertThat(byId.path("attempt").asInt()).isEqualTo(1);
    assertThat(byId.has("value")).isFalse();
    assertThat(other.get("messages/" + id + "?value=true").body().at("/value/value").asText())
        .isEqualTo(id);
  }

  @Test
  void a_message_is_found_by_its_source_after_the_longest_delay_was_lowered() {
    try (Scenario changed = world.scenario().withTarget().intake("horizon", "0s")) {
      BridgeProcess before = changed.bridge();
      String source =
          Scenario.source(
              changed.send(
                  null,
                  "in three days",
                  DelayHeaders.TARGET_TOPIC,
                  changed.target,
                  DelayHeaders.DELAY_MS,
                  Long.toString(Duration.ofDays(3).toMillis())));
      Api api = new Api(before);
      await().atMost(SOON).until(() -> api.get("messages/" + source).status() == 200);
      before.stop();

      Api after = new Api(changed.intake("longestDelay", "1 day").bridge());

      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(after.get("messages/" + source).status()).isEqualTo(200));
      assertThat(after.delete("messages/" + source).status()).isEqualTo(200);
    }
  }

  @Test
  void an_id_that_a_path_can_not_name_is_refused_and_found_by_its_source() {
    String id = "50% off " + newId();
    String source = schedule(id, "PT1H");

    for (String path : List.of("50%25%20off", "a%5Cb", "a//b")) {
      assertThat(one.get("messages/" + path).status()).as(path).isEqualTo(400);
    }
    await().atMost(SOON).until(() -> one.get("messages/" + source).status() == 200);
    assertThat(one.get("messages/" + source).body().path("id").asText()).isEqualTo(id);
  }

  @Test
  void a_header_without_a_value_is_shown_as_one() {
    ProducerRecord<byte[], byte[]> record =
        scenario.record(
            null,
            "v",
            DelayHeaders.TARGET_TOPIC,
            scenario.target,
            DelayHeaders.DELAY_MS,
            "3600000");
    byte[] nothing = null;
    record
        .headers()
        .add("nothing", nothing)
        .add("tag", new byte[] {'a'})
        .add("tag", new byte[] {'b'})
        .add("bytes", new byte[] {0, -1});
    String source = Scenario.source(scenario.send(record));

    await().atMost(SOON).until(() -> one.get("messages/" + source).status() == 200);
    JsonNode headers =
        one.get("messages/" + source + "?value=true").body().path("value").path("headers");
    assertThat(headers.toString())
        .contains(
            """
            {"name":"nothing","value":null},{"name":"tag","value":"a"},\
            {"name":"tag","value":"b"},{"name":"bytes","valueBase64":"AP8="}""");
  }

  @Test
  void what_was_never_scheduled_is_not_found() {
    Answer answer = one.get("messages/" + newId());

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body().path("code").asText()).isEqualTo("NOT_FOUND");
  }

  @Test
  void an_id_that_is_pending_in_two_partitions_has_to_be_named_by_its_source() {
    String id = newId();
    Set<Integer> partitions = new HashSet<>();
    for (int i = 0; partitions.size() < 2; i++) {
      partitions.add(
          scenario
              .send(
                  "k" + i,
                  "v",
                  DelayHeaders.TARGET_TOPIC,
                  scenario.target,
                  DelayHeaders.DELAY_MS,
                  "3600000",
                  DelayHeaders.ID,
                  id)
              .partition());
    }

    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(one.get("messages/" + id).status()).isEqualTo(409));
  }

  // Cancel.

  @Test
  void a_message_with_an_id_is_cancelled_through_any_instance_and_never_arrives() {
    String id = newId();
    String source = schedule(id, "PT1.5S");

    Answer answer = other.delete("messages/" + id);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().path("result").asText()).isEqualTo("CANCELLED");
    assertThat(answer.body().path("source").asText()).isEqualTo(source);
    inbox.awaitOne(schedule(newId(), "PT2S"), SOON);
    assertThat(inbox.of(source)).isEmpty();
    assertThat(other.delete("messages/" + id).status()).isEqualTo(404);
  }

  @Test
  void a_message_without_an_id_is_cancelled_by_its_source() {
    String source = send("no id", 3_600_000);

    assertThat(one.delete("messages/" + source).status()).isEqualTo(200);
    assertThat(one.get("messages/" + source).status()).isEqualTo(404);
  }

  @Test
  void every_cancel_at_the_due_time_is_answered_truly() {
    List<String> ids = new ArrayList<>();
    List<String> sources = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      ids.add(newId());
      sources.add(schedule(ids.get(i), "PT0.%03dS".formatted(200 + 5 * i)));
    }
    int cancelled = 0;
    Set<String> gone = new HashSet<>();
    for (int i = 0; i < ids.size(); i++) {
      int status = (i % 2 == 0 ? one : other).delete("messages/" + ids.get(i)).status();
      assertThat(status).isIn(200, 404, 409);
      if (status == 200) {
        gone.add(sources.get(i));
        cancelled++;
      }
    }
    inbox.awaitOne(schedule(newId(), "PT1S"), SOON);
    for (String source : sources) {
      if (!gone.contains(source)) {
        inbox.awaitOne(source, SOON);
      }
      assertThat(inbox.of(source)).hasSize(gone.contains(source) ? 0 : 1);
    }
    assertThat(cancelled).isLessThanOrEqualTo(ids.size());
  }

  // Move.

  @Test
  void a_message_is_moved_and_arrives_once_at_its_new_time() {
    String id = newId();
    String source = schedule(id, "PT1H");

    Answer moved = one.patch("messages/" + id, "{\"delay\": \"PT0.3S\"}");

    assertThat(moved.status()).as("%s", moved.body()).isEqualTo(200);
    assertThat(moved.body().path("result").asText()).isEqualTo("MOVED");
    Inbox.Arrival arrival = inbox.awaitOne(source, SOON);
    assertThat(arrival.header(DelayHeaders.DUE_AT)).isEqualTo(moved.body().path("due").asText());
    assertThat(arrival.header(DelayHeaders.ATTEMPT)).isEqualTo("1");
    awaitGone(id);
    assertThat(one.patch("messages/" + id, "{\"delay\": \"PT1S\"}").status()).isEqualTo(404);
    assertThat(inbox.of(source)).hasSize(1);
  }

  @Test
  void a_message_without_an_id_is_moved_by_its_source_and_shows_where_it_is_now() {
    String source = send("no id", 3_600_000);

    assertThat(one.patch("messages/" + source, "{\"delay\": \"PT2H\"}").status()).isEqualTo(200);

    assertThat(one.get("messages/" + source).status()).isEqualTo(404);
    JsonNode page = one.get("messages?limit=500").body();
    JsonNode moved = null;
    for (JsonNode message : page.path("messages")) {
      moved = message.path("source").asText().equals(source) ? message : moved;
    }
    assertThat(moved).isNotNull();
    assertThat(moved.path("offset").asLong()).isGreaterThan(0);
  }

  @Test
  void a_move_beyond_the_longest_delay_is_refused() {
    String id = newId();
    schedule(id, "PT1H");

    Answer answer = one.patch("messages/" + id, "{\"delay\": \"P8D\"}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body().path("code").asText()).isEqualTo("DELAY_TOO_LONG");
    Answer seconds = one.patch("messages/" + id, "{\"deliverAt\": \"1795710000\"}");
    assertThat(seconds.status()).isEqualTo(400);
    assertThat(seconds.body().path("code").asText()).isEqualTo("UNREADABLE_DUE_TIME");
    assertThat(one.get("messages/" + id).status()).isEqualTo(200);
  }

  /** Its copy would outlive the record that it stands for, which a rebuild needs. */
  @Test
  void a_message_with_an_id_can_not_be_moved_on_and_on() {
    String id = newId();
    String source = schedule(id, "P6DT23H");
    String plain = send("no id", 3_600_000);

    Answer answer = one.patch("messages/" + id, "{\"delay\": \"P7D\"}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body().path("code").asText()).isEqualTo("DELAY_TOO_LONG");
    assertThat(answer.body().path("detail").asText()).contains("cancel it and schedule it again");
    assertThat(one.patch("messages/" + id, "{\"delay\": \"P6DT23H59M\"}").status()).isEqualTo(200);
    assertThat(one.get("messages/" + id).body().path("source").asText()).isEqualTo(source);
    assertThat(one.patch("messages/" + plain, "{\"delay\": \"P7D\"}").status()).isEqualTo(200);
  }

  // Records that cannot be written.

  @Test
  void a_record_that_kafka_refuses_for_its_size_is_not_said_to_be_unknown() {
    byte[] large = new byte[1_300_000];
    new Random(1).nextBytes(large);
    Answer answer =
        one.post(
            "messages",
            "{\"target\":\"%s\",\"delay\":\"PT1H\",\"valueBase64\":\"%s\"}"
                .formatted(scenario.target, Base64.getEncoder().encodeToString(large)));

    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(413);
    assertThat(answer.body().path("code").asText()).isEqualTo("TOO_LARGE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"id\":\"\\ud800\" | 'id' has half of a surrogate pair",
        "\"value\":\"\\udc00 \" | 'value' has half of a surrogate pair",
        "\"headers\":{\"x\":\"\\ud800\"} | 'headers.x' has half of a surrogate pair",
        "\"headers\":{\"\\ud800\":\"x\"} | Broken surrogate pair in field name",
        "\"headers\":{\"\\udc00 \":\"x\"} | Unexpected low surrogate in field name",
        "\"\\ud800\":\"x\" | Broken surrogate pair in field name",
      })
  void text_that_is_none_is_refused(String field, String why) {
    Answer answer =
        one.post(
            "messages",
            "{\"target\":\"%s\",\"delay\":\"PT1H\",%s}".formatted(scenario.target, field));

    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(400);
    assertThat(answer.body().path("detail").asText()).contains(why);
  }

  // Pages.

  @Test
  void all_pages_together_are_everything_that_is_pending_in_the_order_of_delivery() {
    String target = "pages-" + UUID.randomUUID();
    Set<String> expected = new HashSet<>();
    for (int i = 0; i < 25; i++) {
      expected.add(
          Scenario.source(
              scenario.send(
                  "k" + i,
                  "v",
                  DelayHeaders.TARGET_TOPIC,
                  target,
                  DelayHeaders.DELIVER_AT,
                  Long.toString(System.currentTimeMillis() / 1000 * 1000 + 3_600_000 + i / 5))));
    }
    one.get("messages/" + newId());
    List<String> seen = new ArrayList<>();
    List<Long> dues = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = one.get("messages?target=" + target + "&limit=4" + cursor).body();
      assertThat(page.path("messages")).hasSizeLessThanOrEqualTo(4);
      page.path("messages").forEach(message -> seen.add(message.path("source").asText()));
      page.path("messages").forEach(message -> dues.add(message.path("due").asLong()));
      cursor = page.path("cursor").isNull() ? "" : "&cursor=" + page.path("cursor").asText();
    } while (!cursor.isEmpty());

    assertThat(seen).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected);
    assertThat(dues).isSorted();
  }

  @ParameterizedTest
  @CsvSource({"limit=0", "limit=501", "cursor=x", "dueBefore=tomorrow", "dueBefore=1796000000"})
  void a_page_that_can_not_be_is_refused(String query) {
    assertThat(one.get("messages?" + query).status()).isEqualTo(400);
  }

  // Overviews.

  @Test
  void the_forecast_counts_what_is_due_in_each_bucket() {
    schedule(newId(), "PT90S");

    // A scheduled message counts once it is stored.
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonNode forecast = one.get("forecast?buckets=3&width=PT1M").body();
              assertThat(forecast.path("buckets")).hasSize(3);
              assertThat(forecast.at("/buckets/1").asInt()).isPositive();
            });
    assertThat(one.get("forecast?buckets=0").status()).isEqualTo(400);
    assertThat(one.get("forecast?width=PT0S").status()).isEqualTo(400);
  }

  @Test
  void every_shard_has_an_owner_whichever_instance_is_asked() {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              Set<String> owners = new HashSet<>();
              JsonNode shards = one.get("shards").body();
              shards.forEach(shard -> owners.add(shard.path("owner").asText()));
              assertThat(shards).hasSize(8);
              assertThat(owners).hasSize(4).doesNotContain("null");
              assertThat(other.get("shards").body()).hasSize(8);
              shards.forEach(shard -> assertThat(shard.path("lag").asLong()).isZero());
            });
  }

  @Test
  void what_all_instances_delivered_is_added_up() {
    for (int i = 0; i < 20; i++) {
      inbox.awaitOne(send("v" + i, 0), SOON);
    }
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonNode stats = one.get("stats").body();
              assertThat(stats.path("instances")).hasSize(2);
              assertThat(stats.path("delivered").asLong()).isGreaterThanOrEqualTo(20);
              assertThat(other.get("targets").body().at("/0/delivered").asLong())
                  .isGreaterThanOrEqualTo(20);
            });
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(one.get("history").body().path("points")).isNotEmpty());
  }
}
