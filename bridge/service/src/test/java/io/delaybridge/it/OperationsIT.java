package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.ClassArchive;
import io.delaybridge.stack.CpuTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The functions that an operator sees and relies on. */
class OperationsIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static World world;

  @BeforeAll
  static void start() {
    world = World.shared();
  }

  static String get(String uri) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void metrics_tell_what_came_in_what_went_out_and_how_late() {
    try (Scenario scenario =
        world
            .scenario()
            .withTarget()
            .partitions(1)
            .intake("horizon", "1 hour")
            .intake("lap", "1 second")) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      String[] good = {DelayHeaders.TARGET_TOPIC, scenario.target, DelayHeaders.DELAY_MS, "10"};
      for (int i = 0; i < 3; i++) {
        scenario.send("k", "v", good);
      }
      scenario.send("k", "v", DelayHeaders.TARGET_TOPIC, scenario.target);
      scenario.send(
          "k", "v", DelayHeaders.TARGET_TOPIC, scenario.target, DelayHeaders.DELAY_MS, "600000");
      scenario.send(
          "k",
          "v",
          DelayHeaders.TARGET_TOPIC,
          scenario.target,
          DelayHeaders.DELAY_DURATION,
          "PT2H");
      inbox.awaitCount(4, SOON);

      String shard = "{partition=\"0\",topic=\"" + scenario.intake + "\"";
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(get(bridge.adminUri() + "/prometheus"))
                      .contains("delay_bridge_ingested_total" + shard + "} 6.0")
                      .contains("delay_bridge_delivered_total" + shard + "} 3.0")
                      .contains("delay_bridge_pending" + shard + "} 2.0")
                      .contains("delay_bridge_far" + shard + "} 1.0")
                      .containsPattern("delay_bridge_judged_total\\{outcome=\"again\".*} [1-9]")
                      .containsPattern("delay_bridge_lap_behind_seconds\\{.*} 0\\.")
                      .contains("delay_bridge_overdue" + shard + "} 0.0")
                      .containsPattern(
                          "delay_bridge_dead_lettered_total\\{.*reason=\"NO_DUE_TIME\".*} 1\\.0")
                      .contains(
                          "delay_bridge_lateness_seconds_count{target=\""
                              + scenario.target
                              + "\"} 3")
                      .contains("delay_bridge_turn_seconds_count"));
      assertThat(get(bridge.adminUri() + "/metrics")).contains("\"jvm.");
      assertThat(get(bridge.httpUri() + "/v1/shards"))
          .contains("\"state\":\"OPEN\"", "\"pending\":2,\"far\":1", "\"frontier\":\"v1|");
      everyAlertAndPanelAsksForWhatIsThere(scenario, bridge);
    }
  }

  /** A counter appears when something is counted, so each event has to happen first. */
  private static void everyAlertAndPanelAsksForWhatIsThere(
      Scenario scenario, BridgeProcess bridge) {
    scenario.send("k", "v", DelayHeaders.TARGET_TOPIC, "nowhere", DelayHeaders.DELAY_MS, "1");
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              Set<String> exported =
                  MonitoringFiles.exported(get(bridge.adminUri() + "/prometheus"));
              assertThat(MonitoringFiles.metrics(Path.of(System.getProperty("root.dir"))))
                  .hasSizeGreaterThan(10)
                  .allSatisfy((name, where) -> assertThat(exported).as("%s", where).contains(name));
            });
  }

  @Test
  void an_idle_bridge_with_pending_messages_uses_next_to_no_cpu() {
    try (Scenario scenario = world.scenario().withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      scenario.sendAll(
          1_000,
          i ->
              scenario.record(
                  "k" + i,
                  "v",
                  DelayHeaders.TARGET_TOPIC,
                  scenario.target,
                  DelayHeaders.DELAY_DURATION,
                  "PT1H"));
      await().atMost(SOON).until(() -> get(bridge.adminUri() + "/healthcheck").contains("pending"));
      assertThat(get(bridge.adminUri() + "/ready")).isEqualToIgnoringWhitespace("ready");
      // A young JVM still starts; wait until that is over, then look for 5 seconds.
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofSeconds(5))
          .pollDelay(Duration.ofSeconds(5))
          .until(() -> cpuMillisIn(bridge.pid(), 5) < 150);
    }
  }

  /** Excludes the compilers: on a slow machine they are busy for minutes. */
  private static long cpuMillisIn(long pid, int seconds) {
    long before = CpuTime.of(pid) - CpuTime.of(pid, CpuTime.COMPILERS);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    await().atMost(Duration.ofSeconds(seconds + 5)).until(() -> System.nanoTime() > end);
    return CpuTime.of(pid) - CpuTime.of(pid, CpuTime.COMPILERS) - before;
  }

  @Test
  void a_hundred_thousand_messages_that_are_due_at_once_take_seconds() {
    try (Scenario scenario = world.scenario().withTarget()) {
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      long due = System.currentTimeMillis() + 6_000;
      scenario.sendAll(
          100_000,
          i ->
              scenario.record(
                  "k" + i,
                  "v",
                  DelayHeaders.TARGET_TOPIC,
                  scenario.target,
                  DelayHeaders.DELIVER_AT,
                  Long.toString(due)));
      inbox.awaitCount(100_000, Duration.ofSeconds(36));
      assertThat(inbox.distinct()).isEqualTo(100_000);
    }
  }

  @Test
  void missing_topics_are_created_as_they_are_needed() {
    try (Scenario scenario = world.scenario().intake("longestDelay", "2 days").partitions(3)) {
      scenario.bridge();
      // A day of horizon, three of outage, and the longest time of retries for a message.
      assertThat(Duration.ofMillis(Long.parseLong(setting(scenario.intake, "retention.ms"))))
          .isBetween(Duration.ofDays(4).plusHours(1), Duration.ofDays(5));
      String later = DelayTopics.laterOf(scenario.intake);
      assertThat(Duration.ofMillis(Long.parseLong(setting(later, "retention.ms"))))
          .isBetween(Duration.ofDays(3).plusHours(12), Duration.ofDays(3).plusHours(13));
      assertThat(world.producer.partitionsFor(later)).hasSize(3);
      String marks = scenario.deadLetters + "-marks";
      assertThat(setting(marks, "cleanup.policy")).isEqualTo("compact");
      assertThat(world.producer.partitionsFor(marks)).hasSize(1);
    }
  }

  private static String setting(String topic, String key) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return Scenario.get(world.admin.describeConfigs(List.of(resource)).all())
        .values()
        .iterator()
        .next()
        .get(key)
        .value();
  }

  @Test
  void a_bridge_refuses_topics_that_forget_too_soon_and_says_what_is_needed() throws Exception {
    try (Scenario scenario = world.scenario()) {
      String later = DelayTopics.laterOf(scenario.intake);
      for (String topic : List.of(scenario.intake, later)) {
        world.createTopic(
            topic, 1, java.util.Map.of("retention.ms", "1000", "cleanup.policy", "compact"));
      }
      BridgeProcess bridge = scenario.launch();
      await().atMost(SOON).until(() -> !bridge.isAlive());
      assertThat(Files.readString(bridge.log()))
          .containsPattern(forgets(scenario.intake, "all retries"))
          .contains("topic " + scenario.intake + " has cleanup.policy compact, needed: delete")
          .containsPattern(forgets(later, "\\(intake.lap"))
          .contains("topic " + later + " has cleanup.policy compact, needed: delete");

      BridgeProcess lax = scenario.topics("strict", "false").bridge();
      await()
          .atMost(SOON)
          .until(
              () -> get(lax.adminUri() + "/prometheus").contains("delay_bridge_topic_faults 4.0"));
    }
  }

  private static String forgets(String topic, String sum) {
    return "topic %s has retention.ms 1000, needed: at least [0-9]{9} [^;]*%s plus topics.outage\\) or -1"
        .formatted(topic, sum);
  }

  @Test
  void an_intake_with_records_of_which_nothing_is_known_stops_and_asks() {
    try (Scenario scenario = world.scenario().withTarget().partitions(1)) {
      world.createTopic(scenario.intake, 1, java.util.Map.of("retention.ms", "-1"));
      scenario.send(
          "k", "old", DelayHeaders.TARGET_TOPIC, scenario.target, DelayHeaders.DELAY_MS, "1");
      BridgeProcess bridge = scenario.launch();
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(bridge.health().body())
                      .contains("intake.start", "neither a checkpoint nor anything in Redis"));
    }
  }

  @Test
  void the_jar_sends_and_tails() throws Exception {
    try (Scenario scenario = world.scenario().withTarget()) {
      scenario.bridge();
      Path jar = Path.of(System.getProperty("bridge.jar"));
      String sent =
          run(
              jar,
              "send",
              "--bootstrap",
              world.stack.bootstrapServers(),
              "--intake",
              scenario.intake,
              "--target",
              scenario.target,
              "--delay",
              "PT0.2S",
              "--ttl",
              "PT1H",
              "--id",
              "one",
              "--value",
              "hello",
              "--header",
              "mine=kept",
              "--header",
              "also=kept");
      assertThat(sent).contains("sent as " + scenario.intake);
      assertThat(tailed(jar, scenario.target))
          .contains("value=hello", "mine=kept", "also=kept", "delay-due-at=", "ms late");
      // In this order, the bridge stores fewer bytes.
      assertThat(tailed(jar, scenario.intake))
          .contains("delay-target-topic=" + scenario.target + " delay-duration=PT0.2S ");
      assertThat(run(jar, "send", "--target", "x", "--value", "y"))
          .contains("exactly one of --delay and --at is needed");
      assertThat(run(jar, "send", "--target", "x", "--delay", "1", "--value", "y", "--ttl", "soon"))
          .contains("--ttl is 'soon', allowed: ISO-8601 (PT1H) or milliseconds");
    }
  }

  private static String tailed(Path jar, String topic) throws Exception {
    return run(
        jar,
        "tail",
        topic,
        "--bootstrap",
        world.stack.bootstrapServers(),
        "--from-beginning",
        "--max",
        "1");
  }

  @Test
  void a_broker_that_is_away_does_not_fill_the_log() throws Exception {
    Path dir = Files.createTempDirectory(Files.createDirectories(Path.of("target", "it")), "alone");
    try (BridgeProcess bridge =
        BridgeProcess.of(Path.of(System.getProperty("bridge.jar")), dir)
            .config(Path.of("config.yml"))
            .env("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1")
            .env("REDIS_URI", world.stack.redisUri())
            .start()) {
      await()
          .atMost(SOON.multipliedBy(2))
          .until(() -> Files.readString(bridge.log()).contains("Waiting for Kafka at 127.0.0.1:1"));

      // The client has tried for ten seconds by then, several times in each.
      assertThat(Files.readAllLines(bridge.log()))
          .filteredOn(line -> line.contains("NetworkClient"))
          .hasSize(1)
          .allMatch(line -> line.contains("could not be established"));

      ProcessHandle.of(bridge.pid()).orElseThrow().destroy();
      // Without the request to end, it would wait for Kafka for most of a minute.
      await().atMost(SOON).until(() -> !bridge.isAlive());
    }
  }

  /** In a cluster, the name of a broker may be known only when it runs. */
  @Test
  void a_name_that_is_not_known_yet_is_waited_for() throws Exception {
    Path hosts = Files.writeString(world.dir.resolve("hosts"), "127.0.0.1 localhost\n");
    String servers = world.stack.bootstrapServers().replace("127.0.0.1", "kafka.test");
    try (Scenario scenario = world.scenario()) {
      BridgeProcess bridge =
          scenario
              .kafka("bootstrapServers", servers)
              .env(Map.of("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + hosts.toAbsolutePath()))
              .launch();
      await()
          .atMost(SOON)
          .until(() -> Files.readString(bridge.log()).contains("Waiting for Kafka at " + servers));

      Files.writeString(hosts, "127.0.0.1 localhost kafka.test\n");
      // The JVM asks for a name that was unknown again after ten seconds.
      bridge.awaitHealthy(SOON.multipliedBy(2));
    }
  }

  @Test
  void the_commands_say_why_kafka_can_not_be_asked() throws Exception {
    Path jar = Path.of(System.getProperty("bridge.jar"));

    assertThat(
            run(
                jar,
                "send",
                "--target",
                "x",
                "--delay",
                "1",
                "--value",
                "y",
                "--bootstrap",
                "kafka"))
        .contains("Invalid url in bootstrap.servers: kafka");
    assertThat(run(jar, "send", "--target", "x", "--delay", "1", "--file", "nowhere"))
        .contains("--file is 'nowhere', allowed: a file that can be read");
    assertThat(run(jar, "tail", "x", "--bootstrap", "kafka"))
        .contains("Invalid url in bootstrap.servers: kafka");
  }

  @Test
  void send_refuses_what_would_only_be_a_dead_letter() throws Exception {
    Path jar = Path.of(System.getProperty("bridge.jar"));

    assertThat(run(jar, "send", "--target", "x", "--delay", "5s", "--value", "y"))
        .contains("delay-duration is '5s', allowed:")
        .doesNotContain("sent as");
    assertThat(run(jar, "send", "--target", "x", "--at", "tomorrow", "--value", "y"))
        .contains("--at is 'tomorrow', allowed:");
    assertThat(run(jar, "send", "--target", "x", "--at", "1795710000", "--value", "y"))
        .contains("it looks like seconds")
        .doesNotContain("sent as");
    assertThat(run(jar, "send", "--target", "x y", "--delay", "1", "--value", "y"))
        .contains("delay-target-topic is 'x y', allowed:");
  }

  @Test
  void tail_does_not_make_the_topic_that_it_reads() throws Exception {
    Path jar = Path.of(System.getProperty("bridge.jar"));
    String topic = "nowhere-" + System.nanoTime();

    assertThat(run(jar, "tail", topic, "--bootstrap", world.stack.bootstrapServers()))
        .contains("topic '" + topic + "' does not exist");

    assertThat(Scenario.get(world.admin.listTopics().names())).doesNotContain(topic);
  }

  static String run(Path jar, String... arguments) throws Exception {
    return run(Map.of(), jar, arguments);
  }

  static String run(Map<String, String> environment, Path jar, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ClassArchive.of(jar).arguments());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-jar", jar.toString()));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile("delay-bridge-cli", ".txt");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
      builder.environment().putAll(environment);
      assertThat(builder.start().waitFor(120, TimeUnit.SECONDS)).isTrue();
      return Files.readString(out);
    } finally {
      Files.delete(out);
    }
  }
}
