package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.Certificates;
import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalCluster;
import io.delaybridge.stack.LocalRedis;
import io.delaybridge.stack.LocalRedisCluster;
import io.delaybridge.stack.LocalSentinels;
import io.delaybridge.stack.Ports;
import io.delaybridge.store.redis.RedisAddress;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisMemory;
import io.delaybridge.store.redis.RedisTls;
import io.delaybridge.store.redis.SentinelLogin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several servers of a kind, of which one fails. */
@Tag("topology")
class TopologiesIT {

  private static final Duration LONG = Duration.ofMinutes(2);

  @Test
  void one_of_three_brokers_may_die_and_two_tenants_get_what_is_theirs() {
    Path dir = World.directory();
    LocalCluster kafka = LocalCluster.at(dir, 3).start();
    LocalRedis redis = LocalRedis.at(dir.resolve("redis")).start();
    Servers servers =
        new Servers(kafka.bootstrapServers(), redis.uri(), kafka.broker(0), redis, kafka, redis);
    try (World world = World.over(dir, servers);
        Scenario scenario = world.scenario().withTarget()) {
      String blue = "blue-" + scenario.intake;
      String blues = "blue.inbox";
      world.createTopic(blues, 2, Map.of());
      BridgeProcess bridge =
          scenario.tenant(blue, "{allowedTargets: ['blue\\..*'], longestDelay: 1h}").bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Inbox blueInbox = scenario.inbox(blues);
      Inbox letters = scenario.inbox(scenario.deadLetters);
      Load load = new Load(scenario).send(5_000, 6_000, scenario.target);
      Load blueLoad = new Load(scenario, blue).send(2_500, 6_000, blues);
      Load forbidden = new Load(scenario, blue).send(10, 0, scenario.target);
      inbox.awaitCount(load.size() / 4, LONG);

      int victim = leader(world, scenario.intake);
      List<String> mute = topicsThatNeed(victim, world);
      sendWithOneKey(scenario, mute, 0);
      // From now on the bridge knows them as topics that accept records.
      scenario.inbox(mute.get(mute.size() - 1)).awaitCount(1, LONG);
      kafka.broker(victim - 1).kill();

      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.send(500, 100, scenario.target);
      blueLoad.send(500, 100, blues);
      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      await().atMost(LONG).until(() -> blueInbox.distinct() == blueLoad.size());
      // Each inbox contains only its own messages, so their number is checked too.
      load.check(inbox, 1);
      blueLoad.check(blueInbox, 1);
      await().atMost(LONG).until(() -> letters.distinct() == forbidden.size());
      assertThat(letters.all())
          .extracting(letter -> letter.header(DelayHeaders.DEAD_REASON))
          .containsOnly("FORBIDDEN_TARGET");
      await().atMost(LONG).until(() -> bridge.health().status() == 200);

      mute.add(scenario.target);
      List<String> sent = sendWithOneKey(scenario, mute, 1_000);
      // The time-out of a send is ten seconds, and all that did not answer are left alone after it.
      inbox.awaitOne(sent.get(sent.size() - 1), LONG);
    }
  }

  /** Without this broker, Kafka takes nothing for them, and says so until the time is over. */
  private static List<String> topicsThatNeed(int broker, World world) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      NewTopic topic = new NewTopic("mute-" + i, Map.of(0, List.of(broker % 3 + 1, broker)));
      topic.configs(Map.of(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2"));
      Scenario.get(world.admin.createTopics(List.of(topic)).all());
      names.add(topic.name());
    }
    return names;
  }

  private static List<String> sendWithOneKey(
      Scenario scenario, List<String> targets, long delayMillis) {
    String due = Long.toString(System.currentTimeMillis() + delayMillis);
    return targets.stream()
        .map(
            target ->
                scenario.send(
                    "k", "v", DelayHeaders.TARGET_TOPIC, target, DelayHeaders.DELIVER_AT, due))
        .map(Scenario::source)
        .toList();
  }

  private static int leader(World world, String topic) {
    return Objects.requireNonNull(
            Scenario.get(world.admin.describeTopics(List.of(topic)).allTopicNames()).get(topic))
        .partitions()
        .get(0)
        .leader()
        .id();
  }

  @Test
  void a_slot_of_a_redis_cluster_may_move_and_a_node_may_restart() {
    Path dir = World.directory();
    LocalRedisCluster redis =
        LocalRedisCluster.at(dir.resolve("redis"), 3)
            .with("user", LeastRights.redisClusterUser("secret"))
            .start();
    LocalBroker kafka = LocalBroker.at(dir.resolve("kafka")).start();
    Servers servers =
        new Servers(kafka.bootstrapServers(), redis.uri(), kafka, redis.node(0), kafka, redis);
    try (World world = World.over(dir, servers);
        Scenario scenario = onCluster(world, redis)) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario).send(5_000, 8_000, scenario.target);
      inbox.awaitCount(load.size() / 5, LONG);

      int slot = redis.slot("{delay:%s:0}".formatted(scenario.intake));
      redis.move(slot, (redis.owner(slot) + 1) % 3);
      inbox.awaitCount(load.size() * 2 / 5, LONG);
      LocalRedis owner = redis.node(redis.owner(slot));
      owner.kill();
      owner.restart();

      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.check(inbox, 1);
      await().atMost(LONG).until(() -> bridge.health().status() == 200);
      for (int i = 0; i < 3; i++) {
        assertThat(redis.node(i).command("ACL", "LOG")).as("refused").isEqualTo(List.of());
      }
    }
  }

  /** With the rights that the documentation says suffice; one of the two addresses is enough. */
  private static Scenario onCluster(World world, LocalRedisCluster redis) {
    return world
        .scenario()
        .redis("cluster", "true")
        .redis(
            "uri",
            "'redis://%s:secret@127.0.0.1:%d,127.0.0.1:%d'"
                .formatted(LeastRights.USER, Ports.free(), redis.node(1).port()))
        .redis("prefix", "delay")
        .withTarget();
  }

  @Test
  void a_redis_master_may_die_when_sentinels_watch_it() {
    Path dir = World.directory();
    surviveTheMaster(dir, LocalSentinels.at(dir.resolve("redis")).start(), scenario -> scenario);
  }

  /** The Sentinels have another password than Redis, and a user with the rights of the document. */
  @Test
  void so_it_may_when_sentinels_and_redis_want_passwords_and_certificates() {
    Path dir = World.directory();
    Certificates servers = Certificates.in(dir.resolve("servers"));
    Certificates bridge = Certificates.in(dir.resolve("bridge"), "delay-bridge");
    Path trusted = Certificates.bundle(dir.resolve("trusted.pem"), servers, bridge);
    LocalSentinels redis =
        LocalSentinels.at(dir.resolve("redis"))
            .secured(servers, trusted)
            .passwords("of-redis", "of-sentinels", LeastRights.sentinelUser("of-the-user"))
            .start();
    RedisTls tls = new RedisTls(servers.certificate(), bridge.certificate(), bridge.key());
    assertThatThrownBy(() -> ask(redis, tls, SentinelLogin.NONE)).hasStackTraceContaining("NOAUTH");
    assertThat(ask(redis, tls, new SentinelLogin(null, "of-sentinels"))).isNotNull();

    surviveTheMaster(
        dir,
        redis,
        scenario ->
            scenario
                .redis(
                    "tls",
                    "{trust: '%s', certificate: '%s', key: '%s'}"
                        .formatted(servers.certificate(), bridge.certificate(), bridge.key()))
                .redis(
                    "sentinel", "{user: %s, password: of-the-user}".formatted(LeastRights.USER)));
  }

  private static RedisMemory ask(LocalSentinels redis, RedisTls tls, SentinelLogin login) {
    RedisAddress address = new RedisAddress(redis.uri(), false, Duration.ofSeconds(5), tls, login);
    try (RedisConnection connection = new RedisConnection(address)) {
      return connection.memory();
    }
  }

  private static void surviveTheMaster(
      Path dir, LocalSentinels redis, UnaryOperator<Scenario> settings) {
    LocalBroker kafka = LocalBroker.at(dir.resolve("kafka")).start();
    Servers servers =
        new Servers(kafka.bootstrapServers(), redis.uri(), kafka, redis.master(), kafka, redis);
    try (World world = World.over(dir, servers);
        Scenario scenario = settings.apply(world.scenario().withTarget())) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario).send(5_000, 6_000, scenario.target);
      inbox.awaitCount(load.size() / 4, LONG);

      LocalRedis next = redis.failover();

      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.check(inbox, 1);
      assertThat(String.valueOf(next.command("INFO", "commandstats"))).contains("evalsha");
      await().atMost(LONG).until(() -> bridge.health().status() == 200);
      assertThat(redis.askSentinels("ACL", "LOG"))
          .as("refused by a Sentinel")
          .allSatisfy(log -> assertThat(log).asInstanceOf(LIST).isEmpty());
    }
  }
}
