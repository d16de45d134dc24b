package io.delaybridge.it;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.it.Api.Answer;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.Certificates;
import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.security.scram.ScramLoginModule;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A bridge that speaks TLS only and has the rights of docs/security.md, no more: everything works,
 * and there is no right that it did not use.
 */
@Tag("topology")
class SecuredIT {

  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String PASSWORD = "a-secret";
  private static final int PARTITIONS = 2;

  /** Commands of the test itself, and those for which Redis checks no rights. */
  private static final Set<String> OTHERS = Set.of("acl", "acl|log", "auth", "hello", "ping");

  private static World world;
  private static LocalBroker kafka;
  private static LocalRedis redis;
  private static Certificates certificates;
  private static int kafkaPort;
  private static int redisPort;

  @BeforeAll
  static void start() {
    Path dir = World.directory();
    certificates = Certificates.in(dir.resolve("certificates"));
    kafka = LocalBroker.at(dir.resolve("kafka"));
    kafkaPort = kafka.secured(certificates);
    redis = LocalRedis.at(dir.resolve("redis")).with("user", LeastRights.redisUser(PASSWORD));
    redisPort = redis.secured(certificates);
    redis.start();
    kafka.start();
    world =
        World.over(
            dir, new Servers(kafka.bootstrapServers(), redis.uri(), kafka, redis, kafka, redis));
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @Test
  void the_published_rights_are_enough_and_none_is_too_many() throws IOException {
    try (Scenario scenario = scenario()) {
      List<AclBinding> rights = LeastRights.kafka(scenario);
      Scenario.get(world.admin.createAcls(rights).all());
      BridgeProcess bridge = scenario.bridge();

      useEverything(scenario, bridge);

      assertThat(redis.command("ACL", "LOG")).as("refused by Redis").isEqualTo(List.of());
      assertThat(LeastRights.redisCommands()).as("used in Redis").isEqualTo(usedCommands());
      String log = Files.readString(kafka.log());
      assertThat(
              log.lines().filter(line -> line.contains("Principal = User:delay-bridge is Denied")))
          .as("refused by Kafka")
          .isEmpty();
      // The log also names each rule when it is added.
      String allowed =
          log.lines().filter(line -> line.contains(" is Allowed ")).collect(joining("\n"));
      assertThat(rights)
          .allSatisfy(right -> assertThat(allowed).as("used in Kafka").contains(rule(right)));
    }
  }

  /** Returns the rule in the form of the authorizer's log. */
  private static String rule(AclBinding right) {
    return "resourceType=%s, resourceName=%s, patternType=%s, principal=User:delay-bridge, host=*, operation=%s"
        .formatted(
            right.pattern().resourceType(),
            right.pattern().name(),
            right.pattern().patternType(),
            right.entry().operation());
  }

  /** The login module is in no other place of the class path of that bridge. */
  @Test
  void a_login_module_in_the_folder_for_jars_of_the_image_is_found() throws IOException {
    Path image = image();
    jar(image.resolve("plugins/cloud.jar"), CloudLogin.class);
    try (Scenario scenario = scenario(CloudLogin.class.getName())) {
      Scenario.get(world.admin.createAcls(LeastRights.kafka(scenario)).all());
      BridgeProcess bridge =
          scenario
              .launch(
                  BridgeProcess.of(image.resolve("delay-bridge.jar"), image.resolve("run"))
                      .entrypoint(Path.of("../../docker/entrypoint")))
              .awaitHealthy(START);
      Inbox inbox = scenario.inbox(scenario.target);

      scenario.sendTo(0, "value");

      inbox.awaitCount(1, SOON);
      if (Files.exists(image.resolve("classes.jsa"))) {
        assertThat(Files.readString(Path.of("/proc/" + bridge.pid() + "/maps")))
            .contains("/classes.jsa");
      }
    }
  }

  /** Returns a directory with the files of the image, and an empty folder for jars. */
  private static Path image() throws IOException {
    Path image = Files.createDirectories(world.dir.resolve("image"));
    try (Stream<Path> files =
        Files.list(Path.of(System.getProperty("bridge.jar"), "..").normalize())) {
      for (Path file : files.toList()) {
        Files.createSymbolicLink(image.resolve(file.getFileName()), file.toAbsolutePath());
      }
    }
    Files.createDirectories(image.resolve("plugins"));
    return image;
  }

  private static void jar(Path file, Class<?> only) throws IOException {
    String name = only.getName().replace('.', '/') + ".class";
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file));
        InputStream bytes = Objects.requireNonNull(only.getResourceAsStream("/" + name))) {
      jar.putNextEntry(new ZipEntry(name));
      bytes.transferTo(jar);
    }
  }

  private static Scenario scenario() {
    return scenario(ScramLoginModule.class.getName());
  }

  private static Scenario scenario(String loginModule) {
    Scenario scenario =
        world
            .scenario()
            .withTarget()
            .allow(".*")
            .kafka("bootstrapServers", "127.0.0.1:" + kafkaPort)
            .kafka(
                "properties",
                "{security.protocol: SASL_SSL, ssl.truststore.type: PEM,"
                    + " ssl.truststore.location: '%s', sasl.mechanism: SCRAM-SHA-256, sasl.jaas.config: '%s'}"
                        .formatted(
                            certificates.certificate(),
                            "%s required username=\"%s\" password=\"%s\";"
                                .formatted(loginModule, LeastRights.USER, PASSWORD)))
            .redis(
                "uri",
                "rediss://%s:%s@127.0.0.1:%d".formatted(LeastRights.USER, PASSWORD, redisPort))
            .redis("tls", "{trust: '%s'}".formatted(certificates.certificate()))
            .redis("prefix", "delay")
            .intake("horizon", "3 hours")
            .intake("lap", "1 second")
            .topics("create", "false");
    String progress = scenario.intake + LeastRights.PROGRESS;
    scenario.delivery("progressTopic", progress);
    world.createTopic(progress, 1, Map.of("cleanup.policy", "compact"));
    world.createTopic(scenario.intake, PARTITIONS, Map.of("retention.ms", "-1"));
    world.createTopic(
        DelayTopics.laterOf(scenario.intake), PARTITIONS, Map.of("retention.ms", "-1"));
    world.createTopic(scenario.deadLetters, 2, Map.of());
    world.createTopic(scenario.deadLetters + "-marks", 1, Map.of("cleanup.policy", "compact"));
    Scenario.get(
        world
            .admin
            .alterUserScramCredentials(
                List.of(
                    new UserScramCredentialUpsertion(
                        LeastRights.USER,
                        new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096),
                        PASSWORD)))
            .all());
    return scenario;
  }

  private static void useEverything(Scenario scenario, BridgeProcess bridge) {
    Inbox inbox = scenario.inbox(scenario.target);
    Load load = new Load(scenario).send(200, 2_000, scenario.target);
    await().atMost(SOON).until(() -> inbox.distinct() == load.size());
    load.check(inbox, 1);
    Api api = new Api(bridge);
    useMessages(scenario, api);
    useLaterTopic(scenario, api, bridge);
    useDeadLetters(scenario, api);
    beRebuilt(scenario, api);
    await().atMost(SOON).until(() -> bridge.health().status() == 200);
  }

  private static void useMessages(Scenario scenario, Api api) {
    for (String id : List.of("kept", "moved", "cancelled")) {
      ok(api.post("messages", message(scenario, id, "PT1H")));
      await().atMost(SOON).until(() -> api.get("messages/" + id).status() == 200);
    }
    ok(api.patch("messages/moved", "{\"delay\":\"PT2H\"}"));
    ok(api.delete("messages/cancelled"));
    Answer page = api.get("messages?limit=1");
    ok(api.get("messages?limit=1&cursor=" + page.body().path("cursor").asText()));
    ok(api.get("messages?repeating=true"));
    for (String path : List.of("shards", "stats", "forecast", "history", "targets", "pause")) {
      ok(api.get(path));
    }
    ok(api.put("pause"));
    ok(api.delete("pause"));
  }

  /** A far message takes laps. */
  private static void useLaterTopic(Scenario scenario, Api api, BridgeProcess bridge) {
    ok(api.post("messages", message(scenario, "far", "PT4H")));
    await()
        .atMost(SOON)
        .until(
            () ->
                OperationsIT.get(bridge.adminUri() + "/prometheus")
                    .contains("delay_bridge_judged_total{outcome=\"again\""));
  }

  private static void useDeadLetters(Scenario scenario, Api api) {
    RecordMetadata sent =
        scenario.send(
            "key",
            "value",
            DelayHeaders.TARGET_TOPIC,
            scenario.target + "-missing",
            DelayHeaders.DELAY_MS,
            "1",
            DelayHeaders.MAX_ATTEMPTS,
            "2");
    String letter = "deadletters/" + Scenario.source(sent);
    await().atMost(SOON).until(() -> api.get(letter).status() == 200);
    ok(api.post(letter + "/replay", "{}"));
  }

  /** Causes damage that the bridge detects: it drops the shard and reads the intake again. */
  private static void beRebuilt(Scenario scenario, Api api) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      String meta = "{delay:%s:%d}:meta".formatted(scenario.intake, partition);
      redis.command("HSET", meta, "count", "99");
    }
    scenario.sendAll(
        PARTITIONS,
        partition ->
            new ProducerRecord<>(scenario.intake, partition, new byte[] {1}, new byte[] {2}));
    await()
        .atMost(SOON)
        .until(() -> api.get("messages/kept").status() == 200 && usedCommands().contains("hscan"));
  }

  private static String message(Scenario scenario, String id, String delay) {
    return "{\"target\":\"%s\",\"delay\":\"%s\",\"id\":\"%s\",\"value\":\"x\"}"
        .formatted(scenario.target, delay, id);
  }

  private static void ok(Answer answer) {
    assertThat(answer.status()).as("%s", answer.body()).isBetween(200, 299);
  }

  /** Returns all commands that were called, except those of this test. */
  private static Set<String> usedCommands() {
    Matcher calls =
        Pattern.compile("cmdstat_([a-z|_]+):calls=[1-9]")
            .matcher(String.valueOf(redis.command("INFO", "commandstats")));
    Set<String> used = new TreeSet<>();
    while (calls.find()) {
      used.add(calls.group(1));
    }
    used.removeAll(OTHERS);
    return used;
  }
}
