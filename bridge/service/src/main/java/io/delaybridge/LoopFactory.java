package io.delaybridge;

import io.delaybridge.config.DeliveryConfig;
import io.delaybridge.config.DeliveryConfig.Guarantee;
import io.delaybridge.config.TenantConfig;
import io.delaybridge.delivery.AlternatingDelivery;
import io.delaybridge.delivery.CircuitBreaker;
import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.FlushingDelivery;
import io.delaybridge.delivery.Records;
import io.delaybridge.delivery.Router;
import io.delaybridge.delivery.TargetCatalog;
import io.delaybridge.delivery.TargetRules;
import io.delaybridge.delivery.TransactionalDelivery;
import io.delaybridge.delivery.TransactionalId;
import io.delaybridge.peers.Heartbeats;
import io.delaybridge.peers.KafkaGroup;
import io.delaybridge.peers.Self;
import io.delaybridge.shard.AdminIntakeTopics;
import io.delaybridge.shard.Clocks;
import io.delaybridge.shard.LoopPorts;
import io.delaybridge.shard.LoopSettings;
import io.delaybridge.shard.NewShards;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisShardStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes what the loops work with, and knows what other processes may know about this one: the names
 * under which Kafka knows its loops.
 */
final class LoopFactory implements Self {

  private static final Logger LOG = LoggerFactory.getLogger(LoopFactory.class);

  private final BridgeConfiguration config;
  private final KafkaClients clients;
  private final Admin admin;
  private final TargetCatalog catalog;
  private final Clocks clocks;
  private final String instance;
  private final Heartbeats heartbeats;
  private final KafkaGroup group;
  private final Map<String, TransactionalId> transactionalIds = new ConcurrentHashMap<>();

  /** The group member of each loop, as the group knows it now. */
  private final Map<String, String> members = new ConcurrentHashMap<>();

  private final AtomicInteger memberCount = new AtomicInteger();

  // Set before the loops start. Only the loops read them.
  private NewShards newShards = NewShards.NONE;
  private Set<String> withLater = Set.of();

  /** Takes a name that no other process has. */
  LoopFactory(
      BridgeConfiguration config,
      KafkaClients clients,
      Admin admin,
      Clocks clocks,
      String instance,
      Heartbeats heartbeats,
      KafkaGroup group) {
    this.config = config;
    this.clients = clients;
    this.admin = admin;
    this.catalog = new TargetCatalog(admin, clocks.nanos(), Bridge.ADMIN_TIMEOUT);
    this.clocks = clocks;
    this.instance = instance;
    this.heartbeats = heartbeats;
    this.group = group;
  }

  /**
   * Notes what was found when the topics were set up; to be called before a loop starts.
   *
   * @param withLater the intakes that have a later topic
   */
  void begin(NewShards newShards, Set<String> withLater) {
    this.newShards = newShards;
    this.withLater = withLater;
  }

  @Override
  public boolean isWell() {
    return heartbeats.areFresh();
  }

  @Override
  public List<String> members() {
    return List.copyOf(members.values());
  }

  @Override
  public List<String> transactionalIds() {
    return transactionalIds.values().stream().map(TransactionalId::current).toList();
  }

  /** The name of this process among those of its group. */
  String instance() {
    return instance.substring(0, 8);
  }

  /** The name of a client of this process that is for this. */
  String clientId(String use) {
    return "delay-bridge-" + instance() + "-" + use;
  }

  Duration longestTurn() {
    return config.delivery().turn().longest().toJavaDuration();
  }

  /** Makes new ports, each time that the loop with this name begins. */
  LoopPorts ports(String name) {
    String clientId = clientId(name);
    // A new name each time, so that no member ever joins in the place of another.
    String member = clientId + "-" + memberCount.incrementAndGet();
    Consumer<byte[], byte[]> consumer =
        clients.consumer(clientId, member, longestTurn().multipliedBy(2));
    members.put(name, member);
    heartbeats.watch(name, consumer);
    CircuitBreaker breaker = new CircuitBreaker(clocks.nanos());
    Map<String, Router> routers = new HashMap<>();
    for (String intake : config.intake().topics()) {
      routers.put(
          intake,
          new Router(
              rules(intake),
              catalog,
              breaker,
              config.delivery().retry(),
              ThreadLocalRandom.current(),
              config.far(intake).horizon()));
    }
    return new LoopPorts(
        consumer,
        new RedisShardStore(new RedisConnection(config.redis().address()), config.redis().prefix()),
        delivery(clientId, name, consumer),
        new Dispatch(
            routers::get,
            new Records(config.delivery().deadLetterTopic()),
            catalog,
            breaker,
            clients.tracing()),
        new AdminIntakeTopics(admin, Bridge.ADMIN_TIMEOUT, newShards),
        new KafkaLaterTopic(() -> clients.reader(clientId + "-later"), withLater),
        () -> expel(member));
  }

  private void expel(String member) {
    var unused =
        group
            .remove(List.of(member))
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    LOG.warn(
                        "Member {} may stay in the group until its session ends: {}",
                        member,
                        failure.toString());
                  }
                });
  }

  private Delivery delivery(String clientId, String name, Consumer<byte[], byte[]> consumer) {
    if (config.delivery().guarantee() == Guarantee.AT_LEAST_ONCE) {
      return new FlushingDelivery(packing -> clients.producer(clientId, packing), consumer);
    }
    String transactionalId = config.kafka().groupId() + "-" + instance + "-" + name;
    return new AlternatingDelivery(
        transactions(clientId, transactionalId, "-even"),
        transactions(clientId, transactionalId, "-odd"));
  }

  private TransactionalDelivery transactions(
      String clientId, String transactionalId, String suffix) {
    return new TransactionalDelivery(
        transactionalIds.computeIfAbsent(transactionalId + suffix, TransactionalId::new),
        (id, packing) -> clients.transactionalProducer(clientId + suffix, id, packing));
  }

  private TargetRules rules(String intake) {
    TenantConfig tenant = config.tenant(intake);
    return new TargetRules(
        tenant.allowedTargets() == null ? config.targets().allowed() : tenant.allowedTargets(),
        config.controlTopics(),
        tenant.defaultTarget() == null ? config.intake().defaultTarget() : tenant.defaultTarget());
  }

  LoopSettings settings() {
    DeliveryConfig delivery = config.delivery();
    return new LoopSettings(
        config::maxMessages,
        delivery.turn().maxBytes(),
        delivery.checkpointEvery().toJavaDuration(),
        config::reading,
        config.intake().start(),
        config.intake().skipDeleted(),
        config.redis().highWaterMark(),
        intake -> config.tenant(intake).isLimited(),
        config::far,
        intake -> config.tolerance(intake).toMilliseconds());
  }
}
