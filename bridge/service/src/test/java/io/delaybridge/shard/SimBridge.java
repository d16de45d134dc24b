package io.delaybridge.shard;

import io.delaybridge.delivery.CircuitBreaker;
import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.Records;
import io.delaybridge.delivery.Router;
import io.delaybridge.delivery.TargetCatalog;
import io.delaybridge.delivery.TargetRules;
import io.delaybridge.delivery.Tracing;
import io.delaybridge.message.RetryPolicy;
import io.delaybridge.message.ShardId;
import io.delaybridge.store.ShardStore;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.common.TopicPartition;

/**
 * An instance of the bridge with one loop, made of the product's own parts on top of simulated
 * Kafka, store and time. It does nothing unless it is told to take a step, which is one turn.
 */
final class SimBridge {

  private static final RetryPolicy RETRIES =
      new RetryPolicy(5, Duration.ofMillis(10), Duration.ofSeconds(1));

  final SimConsumer consumer;
  final SimDelivery delivery;
  final SimListener told = new SimListener();
  private final SimKafka kafka;
  private final Assignment assignment;
  private final Clocks clocks;
  private final Turn turn;

  /**
   * @param name its member id and its transactional id, unique among the live bridges
   * @param exactlyOnce whether it delivers exactly once rather than at least once
   */
  SimBridge(
      String name,
      SimKafka kafka,
      ShardStore store,
      SimClock clock,
      LoopSettings settings,
      boolean exactlyOnce) {
    this(
        name,
        new Around(kafka, store, clock, new SimWiring()),
        settings,
        exactlyOnce,
        new Meddler() {});
  }

  /** The environment in which a bridge is started. */
  record Around(SimKafka kafka, ShardStore store, SimClock clock, SimWiring wiring) {}

  /** Makes a bridge whose turns the meddler may interrupt. */
  SimBridge(
      String name, Around around, LoopSettings settings, boolean exactlyOnce, Meddler meddler) {
    SimWiring wiring = around.wiring;
    this.kafka = around.kafka;
    this.clocks = around.clock.clocks(meddler::whileReading);
    this.consumer = wiring.consumer(kafka, name);
    this.delivery = new SimDelivery(kafka, consumer, name, exactlyOnce);
    this.delivery.beforeEnd(meddler::beforeCommit);
    this.assignment = new Assignment(consumer, clocks);
    ShardStore store = new MeddledStore(wiring.store(around.store, kafka, around.clock), meddler);
    Delivery publishing =
        new MeddledDelivery(wiring.delivery(delivery, kafka, consumer), delivery, meddler);
    this.turn =
        Turn.over(
            new LoopPorts(
                consumer,
                store,
                publishing,
                dispatch(settings.far().apply(SimKafka.INTAKE).horizon()),
                kafka,
                new SimLater(kafka),
                () -> {}),
            assignment,
            settings,
            told,
            clocks);
    consumer.subscribe(List.of(SimKafka.INTAKE), assignment);
  }

  private Dispatch dispatch(long horizon) {
    TargetCatalog catalog =
        new TargetCatalog(SimAdmin.of(kafka), clocks.nanos(), Duration.ofSeconds(1));
    CircuitBreaker breaker = new CircuitBreaker(clocks.nanos());
    TargetRules rules =
        new TargetRules(
            List.of(Pattern.compile(".*")), Set.of(SimKafka.INTAKE, SimKafka.DEAD), null);
    Router router = new Router(rules, catalog, breaker, RETRIES, new Random(1), horizon);
    return new Dispatch(
        intake -> router, new Records(SimKafka.DEAD), catalog, breaker, Tracing.off());
  }

  /** Takes one turn. */
  void step() {
    turn.run();
  }

  /** Resumes the shard like an operator at the instance itself. */
  void resume(ShardId shard) {
    assignment.resume(shard);
  }

  /** Ends the process without a word to anyone; the group notices. */
  void crash() {
    kafka.group().evict(consumer);
    kafka.abortLeftOver(consumer.memberId());
  }

  /** Stops in good order. */
  void stop() {
    turn.leave();
    consumer.close(CloseOptions.timeout(Duration.ZERO));
    delivery.close();
  }

  /** Returns all of its state except times as a text that is equal for equal bridges. */
  String dump() {
    StringBuilder text = new StringBuilder(consumer.dump()).append(delivery.isFenced());
    for (Shard shard : assignment.all()) {
      text.append(
          " %s %s %d %s %s %d %b %b %s %b %s %s"
              .formatted(
                  shard.id,
                  shard.phase.state(),
                  shard.backlog.next(),
                  shard.progress.frontier().pairs(),
                  shard.progress.committed().pairs(),
                  shard.progress.offset(),
                  shard.progress.isPaused(),
                  shard.progress.trustsStore(),
                  shard.backlog.first(),
                  shard.backlog.isToBeAsked(),
                  shard.sweep,
                  shard.evidence));
      text.append(
          " %s %s %s %d"
              .formatted(shard.progress.laps(), shard.recall, shard.index, shard.lapClock.at()));
    }
    return text.toString();
  }

  Shard shard(TopicPartition partition) {
    return assignment.all().stream()
        .filter(each -> each.partition.equals(partition))
        .findFirst()
        .orElseThrow(() -> new AssertionError(partition + " is not assigned"));
  }
}
