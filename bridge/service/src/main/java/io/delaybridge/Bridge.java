package io.delaybridge;

import io.delaybridge.admin.Ticker;
import io.delaybridge.delivery.Packing;
import io.delaybridge.intake.IntakeReader;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.message.ShardId;
import io.delaybridge.peers.ClockGuard;
import io.delaybridge.peers.Heartbeats;
import io.delaybridge.peers.KafkaClock;
import io.delaybridge.peers.KafkaGroup;
import io.delaybridge.peers.Peers;
import io.delaybridge.shard.Clocks;
import io.delaybridge.shard.LoopKeeper;
import io.delaybridge.shard.LoopListener;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.NewShards;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.shard.ShardDirectory.UnavailableException;
import io.delaybridge.shard.ShardLoop;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisPeerBoard;
import io.dropwizard.lifecycle.Managed;
import io.dropwizard.util.JarLocation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the loops of this process and what they share. Dropwizard starts and stops it. */
final class Bridge implements Managed {

  private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);
  static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(3);
  private static final long ASK_AGAIN_MS = 100;
  private static final long REFUSED_AGAIN_MS = 1_000;
  private static final long WRITE_TIMEOUT = 11_000;
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(8);

  /** The rest of this process is closed when the loops have ended, or after this long. */
  private static final Duration HEAD_START = Duration.ofSeconds(3);

  private final BridgeConfiguration config;
  private final KafkaClients clients;
  private final Admin admin;
  private final ClockGuard clock;
  private final Clocks clocks;
  private final long startBy;
  private final LoopFactory factory;
  private final Peers peers;
  private final Ticker peerLooks;
  private final List<LoopKeeper> loops = new ArrayList<>();
  private final Ticker watchdog;

  // Only the thread that stops the process uses these.
  private boolean told;
  private long loopsEndBy;
  private boolean gone;

  /**
   * Waits for the name of a broker.
   *
   * @param clients makes the clients of this process
   * @param redis for what the processes tell each other; the caller closes it
   * @param gaveUp is told when this process takes another one out of the group
   */
  Bridge(
      BridgeConfiguration config,
      KafkaClients clients,
      RedisConnection redis,
      LoopListener listener,
      Runnable gaveUp)
      throws InterruptedException {
    this.config = config;
    this.startBy = System.nanoTime() + config.kafka().startTimeout().toNanoseconds();
    this.clients = clients;
    awaitName();
    this.admin = clients.admin();
    String instance = UUID.randomUUID().toString();
    Heartbeats heartbeats = new Heartbeats(() -> askBrokers().toCompletionStage());
    KafkaGroup group = new KafkaGroup(admin, config.kafka().groupId());
    RedisPeerBoard board =
        new RedisPeerBoard(redis, config.redis().prefix(), config.kafka().groupId());
    this.clock =
        new ClockGuard(
            config.delivery().maxClockSkew().toJavaDuration(),
            InstantSource.system(),
            System::nanoTime,
            board,
            new KafkaClock(admin, (int) HEALTH_TIMEOUT.toMillis()));
    this.clocks = Clocks.of(clock, clock::isAhead);
    this.factory = new LoopFactory(config, clients, admin, clocks, instance, heartbeats, group);
    this.peers = new Peers(instance, factory, board, group, gaveUp, clock::aheadOfRedis);
    this.peerLooks = new Ticker("delay-peers", Duration.ofMillis(Peers.EVERY), this::lookAtOthers);
    for (int i = 0; i < config.delivery().loops(); i++) {
      String name = "loop-" + i;
      loops.add(
          new LoopKeeper(
              "delay-" + config.delivery().guarantee() + "-" + i,
              () ->
                  new ShardLoop(
                      name,
                      config.intake().topics(),
                      () -> factory.ports(name),
                      factory.settings(),
                      listener,
                      clocks),
              factory.longestTurn(),
              listener,
              clocks));
    }
    this.watchdog =
        new Ticker(
            "delay-watchdog",
            factory.longestTurn().dividedBy(8),
            () -> loops.forEach(LoopKeeper::check));
  }

  private void lookAtOthers() {
    peers.look();
    clock.look(peers.clocksAhead());
  }

  /** Returns the clock that this process goes by. */
  ClockGuard clock() {
    return clock;
  }

  List<LoopStatus> status() {
    return loops.stream().map(LoopKeeper::status).toList();
  }

  /**
   * Returns why this process must be replaced by another one, a line for each loop; empty if it
   * need not be.
   */
  List<String> lost() {
    return loops.stream().map(LoopKeeper::lost).filter(Objects::nonNull).toList();
  }

  /** Resumes delivery of a paused shard; false if the shard is not one of this process. */
  boolean resume(ShardId shard) {
    return loops.stream().anyMatch(loop -> loop.resume(shard));
  }

  /** Returns the name of this process among those of its group. */
  String instance() {
    return factory.instance();
  }

  /** Returns what Kafka knows about the shards of all instances. */
  ShardDirectory directory() {
    return new ShardDirectory(
        admin, config.kafka().groupId(), config.intake().topics(), ADMIN_TIMEOUT);
  }

  /** Returns a writer to the intakes for callers of the API; the caller must close it. */
  IntakeWriter writer() {
    return new IntakeWriter(
        () -> clients.producer(factory.clientId("api")),
        () -> clients.producer(factory.clientId("api-large"), Packing.COMPRESSED),
        clocks.wall(),
        WRITE_TIMEOUT);
  }

  /** Returns a reader of single records of the intakes; the caller must close it. */
  IntakeReader reader(Duration patience) {
    return new IntakeReader(
        () -> clients.reader(factory.clientId("lookup")), System::nanoTime, patience);
  }

  /** Asks Kafka how many brokers there are. */
  int brokers() throws ExecutionException, InterruptedException {
    return askBrokers().get().size();
  }

  private KafkaFuture<Collection<Node>> askBrokers() {
    return admin
        .describeCluster(new DescribeClusterOptions().timeoutMs((int) HEALTH_TIMEOUT.toMillis()))
        .nodes();
  }

  @Override
  public void start() throws Exception {
    TopicSetup setup = awaitTopics();
    factory.begin(lookForNewShards(setup.wereMissing()), setup.withLater(config.intake().topics()));
    clock.look(List.of());
    loops.forEach(LoopKeeper::start);
    watchdog.start();
    peerLooks.start();
    LOG.info(
        "Bridge {} has started: version {}, group {}, guarantee {}, {} loops, intakes {}",
        instance(),
        // From the manifest of the jar, as --version shows it.
        new JarLocation(Bridge.class).getVersion().orElse("unknown"),
        config.kafka().groupId(),
        config.delivery().guarantee(),
        loops.size(),
        config.intake().topics());
  }

  /**
   * Has the loops hand over and leave the group, and waits a moment for that. To be called before
   * anything else of this process is closed: if a broker is silent, that takes so long that the
   * process may be killed before. Loops that need longer go on until {@link #stop}.
   */
  void leave() throws InterruptedException {
    tell();
    long until = System.nanoTime() + HEAD_START.toNanos();
    boolean ended = true;
    for (LoopKeeper loop : loops) {
      ended &= loop.awaitEnd(millisUntil(until));
    }
    if (ended) {
      endSigns();
    }
  }

  @Override
  public void stop() throws Exception {
    tell();
    boolean ended = true;
    for (LoopKeeper loop : loops) {
      ended &= loop.join(millisUntil(loopsEndBy));
    }
    if (ended) {
      endSigns();
    } else {
      peerLooks.stop();
      LOG.warn(
          "Not all loops have left the group in time: another bridge will remove them from it");
    }
    admin.close(Duration.ofSeconds(1));
  }

  /** Tells the loops to end, once. */
  private void tell() {
    if (!told) {
      told = true;
      watchdog.stop();
      clients.leave();
      loops.forEach(LoopKeeper::stop);
      loopsEndBy = System.nanoTime() + STOP_TIMEOUT.toNanos();
    }
  }

  private long millisUntil(long end) {
    return Math.max(1, (end - System.nanoTime()) / 1_000_000);
  }

  /** Takes the own sign of life away, once: the loops have left. */
  private void endSigns() {
    if (!gone) {
      gone = true;
      peerLooks.stop();
      peers.leave();
    }
  }

  /** The rules for topics and brokers without which messages could be lost. */
  private TopicSetup topics() {
    return new TopicSetup(
        admin,
        config.topics(),
        config.delivery().deadLetterTopic(),
        config.compactedTopics(),
        config.longestStays());
  }

  /** Returns checks that find rules that are broken while the bridge runs. */
  List<TopicRuleWatch.Rules> topicRules() {
    return List.of(topics()::faultsSince, new DeletedCopies(admin, directory())::faults);
  }

  /** Waits as long as is configured. After that, the clients say what is wrong. */
  private void awaitName() throws InterruptedException {
    while (!clients.isNameKnown() && !isTimeUp()) {
      warnOfWaiting("no such name can be resolved");
      TimeUnit.MILLISECONDS.sleep(REFUSED_AGAIN_MS);
    }
  }

  private boolean isTimeUp() {
    return System.nanoTime() - startBy > 0;
  }

  private void warnOfWaiting(String why) {
    LOG.warn("Waiting for Kafka at {}: {}", config.kafka().bootstrapServers(), why);
  }

  /**
   * Sets up the topics. Waits for Kafka as long as is configured, because Kafka may come up after
   * the bridge does.
   */
  private TopicSetup awaitTopics() throws InterruptedException {
    TopicSetup setup = topics();
    while (true) {
      try {
        setup.run();
        return setup;
      } catch (ExecutionException e) {
        if (!TopicSetup.isPassing(e) || isTimeUp()) {
          throw new IllegalStateException(
              "the topics cannot be checked or created in Kafka at %s: %s"
                  .formatted(config.kafka().bootstrapServers(), e.getCause()),
              e);
        }
        warnOfWaiting(String.valueOf(Objects.requireNonNull(e.getCause()).getMessage()));
        // What is not retriable is answered at once.
        TimeUnit.MILLISECONDS.sleep(
            e.getCause() instanceof RetriableException ? ASK_AGAIN_MS : REFUSED_AGAIN_MS);
      }
    }
  }

  /**
   * Finds out which shards are new. A failure here does not stop the start: without the answer, a
   * shard whose partition gets records before a loop opens it asks for {@code intake.start}.
   */
  private NewShards lookForNewShards(Set<String> wereMissing) throws InterruptedException {
    long deadline = System.nanoTime() + ADMIN_TIMEOUT.toNanos();
    while (true) {
      try {
        return NewShards.look(directory(), wereMissing);
      } catch (UnavailableException e) {
        // Not every broker knows a topic at once that was created a moment ago, or it has no leader
        // yet.
        if (!(e.getCause() instanceof RetriableException) || System.nanoTime() - deadline > 0) {
          LOG.warn(
              "The bridge cannot tell which intake partitions are new; intake.start decides: {}",
              e.getMessage());
          return NewShards.NONE;
        }
        TimeUnit.MILLISECONDS.sleep(ASK_AGAIN_MS);
      }
    }
  }
}
