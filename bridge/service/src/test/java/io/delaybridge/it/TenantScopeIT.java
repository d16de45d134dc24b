package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.admin.access.Token;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A token for one intake sees and touches nothing of another. */
class TenantScopeIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static World world;
  private static Scenario scenario;
  private static String red;
  private static Api all;
  private static Api blue;
  private static String redSource;
  private static String redLetter;

  @BeforeAll
  static void start() throws IOException {
    world = World.shared();
    scenario = world.scenario().partitions(2).withTarget();
    red = "red-" + scenario.intake;
    String operator = Token.generate();
    String tenant = Token.generate();
    Path tokens = world.dir.resolve("tokens");
    Files.write(
        tokens,
        List.of(
            "all sha256:" + Token.hashOf(operator) + " operate *",
            "blue sha256:" + Token.hashOf(tenant) + " operate " + scenario.intake));
    scenario.tenant(red, "{}").api("tokens", "'" + tokens + "'");
    BridgeProcess bridge = scenario.bridge();
    all = new Api(bridge, operator);
    blue = new Api(bridge, tenant);

    redSource = send(red, DelayHeaders.DELAY_MS, "3600000", DelayHeaders.ID, "red-1");
    redLetter = send(red, DelayHeaders.DELAY_MS, "never");
    String delivered = send(red, DelayHeaders.DELAY_MS, "0");
    try (Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters)) {
      inbox.awaitOne(redLetter, SOON);
      inbox.awaitOne(delivered, SOON);
    }
    await().atMost(SOON).until(() -> all.get("deadletters/" + redLetter).status() == 200);
  }

  @AfterAll
  static void stop() {
    scenario.close();
  }

  private static String send(String intake, String... headers) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            intake, null, System.currentTimeMillis(), null, "v".getBytes(StandardCharsets.UTF_8));
    record
        .headers()
        .add(DelayHeaders.TARGET_TOPIC, scenario.target.getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < headers.length; i += 2) {
      record.headers().add(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return Scenario.source(scenario.send(record));
  }

  @Test
  void messages_of_another_tenant_are_not_there() {
    assertThat(all.get("messages/red-1").status()).isEqualTo(200);

    assertThat(blue.get("messages/red-1").status()).isEqualTo(404);
    assertThat(blue.delete("messages/red-1").status()).isEqualTo(404);
    // Not 404: that would say that it is delivered, cancelled or was never scheduled.
    assertThat(blue.get("messages/" + redSource).status()).isEqualTo(403);
    assertThat(blue.delete("messages/" + redSource).status()).isEqualTo(403);
    assertThat(blue.patch("messages/" + redSource, "{\"delay\": \"PT1S\"}").status())
        .isEqualTo(403);
    assertThat(blue.get("messages").body().path("messages")).isEmpty();
    assertThat(all.get("messages").body().path("messages")).isNotEmpty();
  }

  @Test
  void nothing_is_scheduled_on_the_intake_of_another_tenant() {
    String body = "{\"intake\": \"%s\", \"target\": \"t\", \"delay\": \"PT1H\"}".formatted(red);

    assertThat(blue.post("messages", body).status()).isEqualTo(403);
  }

  @Test
  void shards_of_another_tenant_are_neither_shown_nor_paused() {
    JsonNode shards = blue.get("shards").body();

    assertThat(shards).hasSize(2);
    shards.forEach(shard -> assertThat(shard.path("topic").asText()).isEqualTo(scenario.intake));
    assertThat(blue.put("shards/" + red + "/0/pause").status()).isEqualTo(403);
    assertThat(blue.get("shards?intake=" + red).status()).isEqualTo(403);
    assertThat(blue.get("pause?intake=" + red).status()).isEqualTo(403);
    assertThat(blue.put("pause?intake=" + red).status()).isEqualTo(403);
    // Not told either whether there is such an intake.
    assertThat(blue.put("pause?intake=elsewhere").status()).isEqualTo(403);
    assertThat(all.get("pause").body().path("paused")).isEmpty();
    assertThat(blue.put("pause").body().path("paused")).hasSize(2);
    assertThat(all.get("pause").body().path("paused")).hasSize(2);
    assertThat(blue.delete("pause").status()).isEqualTo(200);
  }

  @Test
  void what_another_tenant_has_pending_and_delivered_is_not_counted() {
    assertThat(all.get("stats").body().path("delivered").asLong()).isPositive();
    assertThat(all.get("stats").body().path("pending").asLong()).isPositive();

    JsonNode stats = blue.get("stats").body();
    assertThat(stats.path("delivered").asLong()).isZero();
    assertThat(stats.path("ingested").asLong()).isLessThanOrEqualTo(8);
    assertThat(stats.path("pending").asLong()).isZero();
    assertThat(blue.get("targets").body()).isEmpty();
    assertThat(blue.get("forecast").body().path("later").asLong()).isZero();
    assertThat(blue.get("history").status()).isEqualTo(403);
    blue.get("health")
        .body()
        .path("checks")
        .forEach(check -> assertThat(check.path("message").isNull()).isTrue());
  }

  @Test
  void dead_letters_of_another_tenant_are_neither_shown_nor_touched() {
    assertThat(blue.get("deadletters").body().path("deadLetters")).isEmpty();
    assertThat(blue.get("deadletters?intake=" + red).status()).isEqualTo(403);
    assertThat(
            blue.post("deadletters/replay", "{\"dryRun\": true, \"intake\": \"" + red + "\"}")
                .status())
        .isEqualTo(403);
    assertThat(blue.get("deadletters/" + redLetter).status()).isIn(403, 404);
    assertThat(blue.post("deadletters/" + redLetter + "/replay", null).status()).isIn(403, 404);
    assertThat(blue.delete("deadletters/" + redLetter).status()).isIn(403, 404);
    assertThat(blue.post("deadletters/replay", "{\"dryRun\": true}").body().path("matches").asInt())
        .isZero();
    assertThat(all.get("deadletters/" + redLetter).body().path("state").asText()).isEqualTo("NEW");
  }
}
