package io.delaybridge.shard;

import io.delaybridge.delivery.CircuitBreaker;
import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.FlushingDelivery;
import io.delaybridge.delivery.KafkaNotReadyException;
import io.delaybridge.delivery.Records;
import io.delaybridge.delivery.Router;
import io.delaybridge.delivery.Target;
import io.delaybridge.delivery.TargetCatalog;
import io.delaybridge.delivery.TargetRules;
import io.delaybridge.delivery.TransactionalDelivery;
import io.delaybridge.delivery.TransactionalId;
import io.delaybridge.message.RetryPolicy;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.ShardStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a loop does before it joins the group, once in its process: for a while it turns on records
 * that it makes up. The JVM compiles what has run often, so the first messages of a process that
 * had not practised would be late. Everything is as it will be, Redis included, but for the
 * consumer and the producer: they are mocks, and nothing goes out. The shard is nobody's and is
 * gone afterwards, and no listener is told.
 *
 * <p>One for each place of a loop: whoever takes the place next does not practise again.
 */
public final class Practice {

  private static final Logger LOG = LoggerFactory.getLogger(Practice.class);

  /**
   * Records of one turn after the other, with ids in every second turn. Most turns are small: what
   * runs once in each turn must run often, too.
   */
  private static final int[] SIZES = {1, 1, 1, 1, 20, 1, 1, 1, 200};

  private static final int PLENTY = 1_000;
  private static final int IDS = 100;
  private static final Duration LATER = Duration.ofMillis(5);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final byte[] VALUE = new byte[100];

  private final Duration longest;
  private final TargetCatalog catalog;
  private final String target;
  private final Clocks clocks;
  private final AtomicBoolean begun = new AtomicBoolean();

  /**
   * @param longest how long a loop practises, zero for not at all
   * @param target a topic that is there, so that the records could go to it
   */
  public Practice(Duration longest, TargetCatalog catalog, String target, Clocks clocks) {
    this.longest = longest;
    this.catalog = catalog;
    this.target = target;
    this.clocks = clocks;
  }

  /**
   * Practises, unless somebody has. What fails here is told when it matters.
   *
   * @param alive is told before each turn
   * @param stopping whether to end early
   */
  void run(LoopPorts ports, LoopSettings settings, Runnable alive, BooleanSupplier stopping) {
    if (longest.isZero() || begun.getAndSet(true)) {
      return;
    }
    long end = clocks.nanoTime() + longest.toNanos();
    BooleanSupplier goesOn =
        () -> {
          alive.run();
          return !stopping.getAsBoolean() && clocks.nanoTime() - end < 0;
        };
    try {
      if (goesOn.getAsBoolean() && isTargetThere()) {
        practise(ports, settings, goesOn);
      }
    } catch (InterruptException | WakeupException e) {
      throw e;
    } catch (KafkaNotReadyException | RuntimeException e) {
      LOG.debug("The loop joins the group without more practice", e);
    }
  }

  private boolean isTargetThere() throws KafkaNotReadyException {
    catalog.refresh(List.of(target));
    return catalog.get(target) instanceof Target.Available;
  }

  private void practise(LoopPorts ports, LoopSettings settings, BooleanSupplier goesOn) {
    String name = "rehearsal-" + UUID.randomUUID();
    TopicPartition partition = new TopicPartition(name, 0);
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    Delivery delivery =
        ports.delivery().isTransactional()
            ? new TransactionalDelivery(new TransactionalId(name), (id, packing) -> producer)
            : new FlushingDelivery(packing -> producer, consumer);
    LoopPorts mocked =
        new LoopPorts(
            consumer,
            ports.store(),
            delivery,
            dispatch(),
            ports.topics(),
            LaterTopic.NONE,
            () -> {});
    Assignment assignment = new Assignment(consumer, clocks);
    Turn turn = Turn.over(mocked, assignment, settings, new LoopListener() {}, clocks);
    consumer.subscribe(List.of(name), assignment);
    consumer.rebalance(List.of(partition));
    Shard shard = assignment.all().iterator().next();
    shard.key = new ShardStore.Shard(shard.id, name);
    try {
      open(shard, ports.store());
      consumer.resume(List.of(partition));
      // It is closed if Redis fails, and paused if Redis is full.
      for (int i = 0; shard.state == ShardStatus.State.OPEN && goesOn.getAsBoolean(); i++) {
        // A turn may be configured to take less than it is given.
        int size = shard.pending < PLENTY ? SIZES[i % SIZES.length] : 0;
        long first = consumer.position(partition);
        for (long offset = first; offset < first + size; offset++) {
          consumer.addRecord(record(shard.id, offset, i % 2 != 0));
        }
        turn.run();
        // It remembers what it was given.
        producer.clear();
      }
    } finally {
      Replies.await(ports.store().drop(shard.key));
    }
  }

  /** What {@link Acquire} would find out and log. */
  private static void open(Shard shard, ShardStore store) {
    shard.next = Replies.await(store.open(shard.key)).next();
    shard.born = 1;
    shard.admission = Admission.of(SECOND.toMillis());
    shard.opened();
  }

  private Dispatch dispatch() {
    CircuitBreaker breaker = new CircuitBreaker(clocks.nanos());
    Router router =
        new Router(
            new TargetRules(List.of(Pattern.compile(".*")), Set.of(), null),
            catalog,
            breaker,
            new RetryPolicy(1, SECOND, SECOND),
            new Random(),
            0);
    return new Dispatch(intake -> router, new Records(target), catalog, breaker);
  }

  /** Of all kinds that are due at once or soon; with an id, also replaced and cancelled. */
  private ConsumerRecord<byte[], byte[]> record(ShardId intake, long offset, boolean named) {
    long now = clocks.now();
    RecordHeaders headers = new RecordHeaders();
    add(headers, DelayHeaders.TARGET_TOPIC, target);
    switch ((int) (offset % 4)) {
      case 0 -> add(headers, DelayHeaders.DELAY_MS, 0);
      case 1 -> add(headers, DelayHeaders.DELIVER_AT, now);
      case 2 -> add(headers, DelayHeaders.DELAY_DURATION, LATER);
      default -> add(headers, DelayHeaders.DELIVER_AT, Instant.ofEpochMilli(now).plus(LATER));
    }
    if (named) {
      add(headers, DelayHeaders.ID, "id-" + offset % IDS);
      add(
          headers,
          DelayHeaders.OP,
          offset % 10 == 0 ? DelayHeaders.OP_CANCEL : DelayHeaders.OP_SCHEDULE);
    }
    add(headers, "content-type", "application/json");
    byte[] key = bytes("key-" + offset);
    return new ConsumerRecord<>(
        intake.topic(),
        intake.partition(),
        offset,
        now,
        TimestampType.CREATE_TIME,
        key.length,
        VALUE.length,
        key,
        VALUE,
        headers,
        Optional.empty());
  }

  private static void add(RecordHeaders headers, String name, Object value) {
    headers.add(name, bytes(value.toString()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
