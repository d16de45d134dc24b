package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.FlushingDelivery;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Packing;
import io.delaybridge.delivery.TransactionalDelivery;
import io.delaybridge.delivery.TransactionalId;
import io.delaybridge.shard.SimBridge.Around;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A faulty message is given up, no other one is, and that takes a bounded number of turns, whatever
 * Kafka's client fails, in whatever order, and with whatever exceptions.
 */
@ExtendWith(QuietLog.class)
class SuspectsTest {

  private static final int SEEDS = 2_000;
  private static final List<String> TARGETS = List.of(RuleTest.TARGET, "invoices", "mails");

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFaultyMessageIsGivenUpAndNoOther(boolean transactional) {
    for (int seed = 0; seed < SEEDS; seed++) {
      new Run(seed, transactional).check();
    }
  }

  /** The former rule, and its effect on innocent messages. */
  @Test
  void whoeverBelievesASuspicionGivesUpOthersToo() {
    assertThat(IntStream.range(0, SEEDS))
        .anySatisfy(
            seed -> assertThat(new Run(seed, true).believing().innocentDead()).isNotEmpty());
  }

  /** One bridge, one shard, and some messages that are due at once. */
  private static final class Run extends RuleTest {

    private final int seed;
    private final Random chance;
    private final Map<String, RuntimeException> faults = new HashMap<>();
    private final List<String> values = new ArrayList<>();

    /** Messages that are too large only in plain packing. */
    private final Set<String> squeezable = new HashSet<>();

    /** Messages whose dead letters are too large for their topic in plain packing. */
    private final Set<String> largeLetters = new HashSet<>();

    private boolean believes;

    Run(int seed, boolean transactional) {
      this.seed = seed;
      this.chance = new Random(seed);
      exactlyOnce = transactional;
      limited = chance.nextBoolean();
      TARGETS.stream().skip(1).forEach(topic -> kafka.createTopic(topic, 1));
    }

    Run believing() {
      believes = true;
      return this;
    }

    /** Runs the scenario. */
    private void deliver() {
      SimBridge bridge =
          new SimBridge(
              "a",
              new Around(kafka, store, clock, wiring()),
              settings(),
              exactlyOnce,
              new Meddler() {});
      turns(bridge);
      int messages = 1 + chance.nextInt(20);
      int faulty = chance.nextInt(4);
      boolean forbidden = chance.nextInt(4) == 0;
      for (int i = 0; i < messages; i++) {
        String target = TARGETS.get(chance.nextInt(TARGETS.size()));
        String value = target + ' ' + i;
        values.add(value);
        if (forbidden && target.equals("mails")) {
          faults.put(value, new TopicAuthorizationException(Set.of("mails")));
        } else if (chance.nextInt(messages) < faulty) {
          faults.put(value, fault());
          if (oneIn(2)) {
            largeLetters.add(value);
          }
        } else if (oneIn(8)) {
          squeezable.add(value);
        }
        scheduleTo(target, value, 10, null);
      }
      at(10);
      for (int i = 0; i < 20 + 8 * messages; i++) {
        bridge.step();
        clock.pass(Duration.ofSeconds(3));
      }
    }

    private boolean oneIn(int n) {
      return chance.nextInt(n) == 0;
    }

    private RuntimeException fault() {
      return switch (chance.nextInt(4)) {
        case 0 -> new RecordTooLargeException("too large");
        case 1 -> new InvalidTimestampException("too old");
        default -> new InvalidRecordException("no key");
      };
    }

    private SimWiring wiring() {
      return new SimWiring() {
        @Override
        Delivery delivery(Delivery inner, SimKafka of, SimConsumer consumer) {
          Delivery product =
              exactlyOnce
                  ? new TransactionalDelivery(
                      new TransactionalId("a"), (id, packing) -> producer(packing))
                  : new FlushingDelivery(Run.this::producer, consumer);
          return new Chancy(product, inner, believes);
        }
      };
    }

    private ChanceProducer producer(Packing packing) {
      return new ChanceProducer(chance, record -> against(record, packing));
    }

    private @Nullable RuntimeException against(
        ProducerRecord<byte[], byte[]> record, Packing packing) {
      String value = text(record.value());
      Set<String> large = TARGETS.contains(record.topic()) ? squeezable : largeLetters;
      if (packing == Packing.PLAIN && large.contains(value)) {
        return new RecordTooLargeException("too large as it is");
      }
      return TARGETS.contains(record.topic()) ? faults.get(value) : null;
    }

    private List<String> lettersFor() {
      return kafka.records(SimKafka.DEAD).stream().map(each -> text(each.value())).toList();
    }

    List<String> innocentDead() {
      deliver();
      return lettersFor().stream().filter(value -> !faults.containsKey(value)).toList();
    }

    void check() {
      deliver();
      assertThat(lettersFor())
          .as("dead letters, seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(faults.keySet());
      for (String target : TARGETS) {
        List<String> arrived =
            kafka.records(target).stream().map(each -> text(each.value())).toList();
        List<String> expected =
            values.stream()
                .filter(value -> value.startsWith(target + ' ') && !faults.containsKey(value))
                .toList();
        if (exactlyOnce) {
          assertThat(arrived).as("%s, seed %d", target, seed).isEqualTo(expected);
        } else {
          assertThat(arrived)
              .as("%s, seed %d", target, seed)
              .containsExactlyInAnyOrderElementsOf(expected);
        }
      }
    }
  }

  /**
   * The product's own delivery on a {@link ChanceProducer}; records that it reports as sent are
   * sent.
   *
   * @param believes whether it treats accused records as if they had been sent alone
   */
  private record Chancy(Delivery product, Delivery world, boolean believes) implements Delivery {

    @Override
    public boolean isTransactional() {
      return product.isTransactional();
    }

    @Override
    public Outcome deliver(
        List<ProducerRecord<byte[], byte[]>> records,
        Packing packing,
        Map<TopicPartition, OffsetAndMetadata> checkpoints,
        ConsumerGroupMetadata group) {
      Outcome outcome = product.deliver(records, packing, checkpoints, group);
      if (outcome instanceof Outcome.Done) {
        return world.deliver(records, packing, checkpoints, group);
      }
      if (outcome instanceof Outcome.Refused refused) {
        if (!isTransactional()) {
          List<ProducerRecord<byte[], byte[]>> out = new ArrayList<>();
          for (int i = 0; i < records.size(); i++) {
            if (!refused.unwritten().contains(i)) {
              out.add(records.get(i));
            }
          }
          world.deliver(out, packing, Map.of(), group);
        }
        return believes ? believed(records, refused) : refused;
      }
      return outcome;
    }

    /** Names the topic of each accused record, which the product takes for evidence. */
    private static Outcome believed(
        List<ProducerRecord<byte[], byte[]>> records, Outcome.Refused refused) {
      Map<Integer, Exception> named = new HashMap<>();
      refused
          .accused()
          .keySet()
          .forEach(
              index ->
                  named.put(
                      index, new TopicAuthorizationException(Set.of(records.get(index).topic()))));
      return new Outcome.Refused(named, refused.unwritten(), refused.othersWentThrough());
    }

    @Override
    public Outcome commit(
        Map<TopicPartition, OffsetAndMetadata> checkpoints, ConsumerGroupMetadata group) {
      return world.commit(checkpoints, group);
    }

    @Override
    public void prepare() {}

    @Override
    public void close() {
      product.close();
    }
  }
}
