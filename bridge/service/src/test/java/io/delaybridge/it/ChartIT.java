package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.admin.access.Token;
import io.delaybridge.schemas.DelayHeaders;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The pod of the Helm chart, from its first start to its end. */
class ChartIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** Three of the longest turns and half a minute, after which a loop that hangs would be lost. */
  private static final Duration LONGER_THAN_A_LOOP_MAY_HANG = Duration.ofSeconds(34);

  private static World world;

  @BeforeAll
  static void start() {
    Chart.assumeHelm();
    world = World.start();
  }

  @AfterAll
  static void stop() {
    if (world != null) {
      world.close();
    }
  }

  private static String values() {
    return """
    kafka: {bootstrapServers: "%s"}
    redis: {uri: "%s"}
    tokens: {secret: my-tokens}
    memory: 800Mi
    javaOpts: -XX:TieredStopAtLevel=1
    config:
      topics: {partitions: 4}
      kafka: {consumer: {session.timeout.ms: 6000}}
      delivery: {turn: {longest: 1 second}}
    """
        .formatted(world.stack.bootstrapServers(), world.stack.redisUri());
  }

  private static String tokens(String token) {
    return "ops sha256:" + Token.hashOf(token) + " operate *\n";
  }

  private static Pod pod(String token) throws Exception {
    List<JsonNode> all = Chart.render(values());
    JsonNode config = Chart.one(all, "ConfigMap");
    return new Pod(
        world.dir.resolve("pod"),
        Chart.one(all, "Deployment"),
        Map.of(
            "configmap/" + config.at("/metadata/name").asText(),
            Map.of("config.yml", config.at("/data/config.yml").asText()),
            "secret/my-tokens",
            Map.of("tokens", tokens(token))));
  }

  @Test
  void thePodOfTheChartStartsWorksSurvivesAndEndsInGoodOrder() throws Exception {
    String token = Token.generate();
    Queue<String> notAlive = new ConcurrentLinkedQueue<>();
    ScheduledExecutorService kubelet = Executors.newSingleThreadScheduledExecutor();
    try (Pod pod = pod(token);
        Scenario scenario = world.scenario().withTarget()) {
      Inbox inbox = scenario.inbox(scenario.target);
      pod.start();
      pod.awaitProbe("startupProbe");
      await().atMost(SOON).until(() -> pod.probe("readinessProbe"));
      send(scenario, "first", "1");
      inbox.awaitCount(1, SOON);

      itAsksForTheTokenOfItsSecret(pod, token);

      var asked =
          kubelet.scheduleWithFixedDelay(
              () -> {
                if (!pod.probe("livenessProbe")) {
                  notAlive.add(pod.said());
                }
              },
              0,
              1,
              TimeUnit.SECONDS);
      itIsNotReadyButAliveWhileTheServersDoNotAnswer(pod);
      asked.cancel(false);
      assertThat(notAlive).as("what it had said when it did not seem alive").isEmpty();

      itGoesOnAfterAKill(pod, scenario, inbox);

      assertThat(pod.stop()).as("ended within its grace period").isTrue();
      assertThat(pod.said()).doesNotContain("did not end in time", "Not all loops have left");
      await()
          .atMost(SOON)
          .until(
              () ->
                  Scenario.get(world.admin.describeConsumerGroups(List.of("delay-bridge")).all())
                      .values()
                      .stream()
                      .allMatch(group -> group.members().isEmpty()));
    } finally {
      kubelet.shutdownNow();
    }
  }

  private static void send(Scenario scenario, String value, String delay) {
    scenario.send(
        Scenario.in(
            "delay-intake",
            0,
            scenario.record(
                "k",
                value,
                DelayHeaders.TARGET_TOPIC,
                scenario.target,
                DelayHeaders.DELAY_MS,
                delay)));
  }

  private static void itAsksForTheTokenOfItsSecret(Pod pod, String token) throws Exception {
    assertThat(whoami(pod, token)).isEqualTo(200);
    String other = Token.generate();
    assertThat(whoami(pod, other)).isEqualTo(401);
    // A Secret that is changed is a file that is replaced.
    pod.write("tokens", "tokens", tokens(other));
    await().atMost(SOON).until(() -> whoami(pod, other) == 200);
    assertThat(whoami(pod, token)).isEqualTo(401);
  }

  private static int whoami(Pod pod, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(pod.uri("api") + "/v1/whoami"))
            .header("Authorization", "Bearer " + token)
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static void itIsNotReadyButAliveWhileTheServersDoNotAnswer(Pod pod) {
    world.stack.kafka().pause();
    world.stack.redis().pause();
    try {
      long begun = System.nanoTime();
      await().atMost(SOON).until(() -> !pod.probe("readinessProbe"));
      await().atMost(SOON).until(() -> pod.said().contains("hangs and is interrupted"));
      await()
          .atMost(LONGER_THAN_A_LOOP_MAY_HANG.multipliedBy(2))
          .until(() -> System.nanoTime() - begun > LONGER_THAN_A_LOOP_MAY_HANG.toNanos());
    } finally {
      world.stack.redis().resume();
      world.stack.kafka().resume();
    }
    await().atMost(SOON).until(() -> pod.probe("readinessProbe"));
  }

  private static void itGoesOnAfterAKill(Pod pod, Scenario scenario, Inbox inbox) throws Exception {
    send(scenario, "second", "3000");
    await().atMost(SOON).until(() -> pod.probe("readinessProbe"));
    pod.kill();
    pod.start();
    pod.awaitProbe("startupProbe");
    await().atMost(SOON).until(() -> pod.probe("readinessProbe"));
    inbox.awaitCount(2, SOON);
    assertThat(inbox.distinct()).isEqualTo(2);
  }
}
