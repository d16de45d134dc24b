package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedisCluster;
import io.delaybridge.stack.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.protocol.ApiKeys;

/** Faults of one of several servers, or of the connections between servers and bridges. */
final class TopologyRows {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DELAY = Duration.ofSeconds(6);
  private static final Duration LOST = Duration.ofSeconds(10);
  private static final int MOST_LAG = 2_000;
  private static final int SCRIPTS_OF_SOME_TURNS = 24;

  private TopologyRows() {}

  static List<Row<?>> all() {
    return List.of(
        Row.of(
                "leader-loss",
                "SIGKILL of the broker that leads a partition of the intake, one of three",
                ThreeBrokers::start,
                new Shape(200_000, 10, 2, 4, SECOND, DELAY),
                TopologyRows::killLeader)
            .atLeastOnceRepeats(Repeats.TURN),
        Row.of(
                "replica-promoted",
                "a Redis replica that lags is made master",
                RedisPair::start,
                new Shape(100_000, 20, 2, 4, SECOND, DELAY),
                TopologyRows::promote)
            .atLeastOnceRepeats(Repeats.CHECKPOINT),
        Row.of(
                "redis-answer-lost",
                "connection cut after Redis has done what it was asked, before it answers",
                Proxied::start,
                new Shape(100_000, 150, 2, 4, SECOND, DELAY),
                TopologyRows::loseAnswerOfRedis)
            .atLeastOnceRepeats(Repeats.TURN),
        Row.of(
                "kafka-answer-lost",
                "connection cut after the broker has done what it was asked, before it answers",
                Proxied::start,
                new Shape(100_000, 150, 2, 4, SECOND, DELAY),
                TopologyRows::loseAnswerOfKafka)
            .atLeastOnceRepeats(Repeats.TURN),
        Row.of(
                "slot-moved",
                "the slot of a shard moves to another of three nodes of a Redis Cluster",
                RedisMasters::start,
                new Shape(100_000, 20, 2, 4, SECOND, DELAY),
                TopologyRows::moveSlot)
            .atLeastOnceRepeats(Repeats.TURN));
  }

  static boolean killLeader(World<ThreeBrokers> world, RandomGenerator random) {
    TopicDescription intake =
        World.await(
            world
                .admin()
                .describeTopics(List.of(BridgeConfig.INTAKE))
                .allTopicNames()
                .thenApply(all -> all.get(BridgeConfig.INTAKE)));
    Node leader = intake.partitions().get(random.nextInt(world.partitions())).leader();
    if (leader == null || leader.isEmpty()) {
      return false;
    }
    LocalBroker broker = world.servers().brokers().broker(leader.id() - 1);
    broker.kill();
    Wait.millis(random.nextLong(8 * SECOND.toMillis()));
    broker.start();
    return true;
  }

  private static boolean promote(World<RedisPair> world, RandomGenerator random) {
    return world
        .servers()
        .promoteLagging(
            () -> world.awaitDelivered(1 + random.nextInt(MOST_LAG), Duration.ofSeconds(10)));
  }

  /** Loses the answer to a random one of the next scripts, so that any script can be hit. */
  private static boolean loseAnswerOfRedis(World<Proxied> world, RandomGenerator random) {
    AtomicInteger before = new AtomicInteger(random.nextInt(SCRIPTS_OF_SOME_TURNS));
    return lose(
        world.servers().toRedis(), request -> hasScript(request) && before.getAndDecrement() == 0);
  }

  private static boolean hasScript(byte[] request) {
    return new String(request, StandardCharsets.ISO_8859_1).contains("EVALSHA");
  }

  private static boolean loseAnswerOfKafka(World<Proxied> world, RandomGenerator random) {
    List<ApiKeys> kinds =
        world.guarantee() == Guarantee.EXACTLY_ONCE
            ? List.of(ApiKeys.END_TXN, ApiKeys.TXN_OFFSET_COMMIT, ApiKeys.PRODUCE, ApiKeys.FETCH)
            : List.of(ApiKeys.PRODUCE, ApiKeys.OFFSET_COMMIT, ApiKeys.FETCH, ApiKeys.HEARTBEAT);
    ApiKeys kind = kinds.get(random.nextInt(kinds.size()));
    boolean lost = lose(world.servers().toKafka(), request -> isOf(request, kind));
    if (lost) {
      world.note("answer to " + kind.name);
    }
    return lost;
  }

  /** A request begins with its length in 4 bytes and its kind in 2 bytes. */
  private static boolean isOf(byte[] request, ApiKeys kind) {
    return request.length > 6 && request[4] == 0 && request[5] == kind.id;
  }

  private static boolean lose(TcpProxy proxy, Predicate<byte[]> request) {
    int before = proxy.dropped();
    proxy.dropAnswerTo(request);
    return Wait.upTo(LOST, () -> proxy.dropped() > before);
  }

  private static boolean moveSlot(World<RedisMasters> world, RandomGenerator random) {
    LocalRedisCluster redis = world.servers().redis();
    int slot =
        redis.slot(
            "{%s:%s:%d}"
                .formatted(
                    BridgeConfig.PREFIX, BridgeConfig.INTAKE, random.nextInt(world.partitions())));
    int from = redis.owner(slot);
    redis.move(slot, (from + 1 + random.nextInt(RedisMasters.SIZE - 1)) % RedisMasters.SIZE);
    return true;
  }
}
