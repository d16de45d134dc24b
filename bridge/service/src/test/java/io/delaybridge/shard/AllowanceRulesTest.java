package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The amount that one turn may send for all its shards together. */
class AllowanceRulesTest extends RuleTest {

  private static final int PARTITIONS = 4;
  private static final Duration QUICK = Duration.ofMillis(900);
  private static final Duration SLOW = Duration.ofMillis(1_001);

  @BeforeEach
  void partitions() {
    kafka.addPartitions(SimKafka.INTAKE, PARTITIONS);
  }

  /** Schedules that many messages in each of the first partitions, all due at 10. */
  private SimBridge withMessages(int partitions, int each, int size) {
    append(partitions, each, size);
    SimBridge bridge = running("a");
    at(10);
    return bridge;
  }

  private void append(int partitions, int each, int size) {
    for (int i = 0; i < each; i++) {
      for (int partition = 0; partition < partitions; partition++) {
        String value = partition + " " + i + "x".repeat(size);
        kafka.append(request(intake(partition), TARGET, value, 10, null), false);
      }
    }
  }

  private static TopicPartition intake(int partition) {
    return new TopicPartition(SimKafka.INTAKE, partition);
  }

  /** Returns how many messages of each partition a turn of that duration delivers. */
  private List<Long> turn(SimBridge bridge, Duration takes) {
    int before = delivered().size();
    bridge.delivery.before(() -> clock.pass(takes));
    bridge.step();
    TreeMap<Character, Long> counts =
        delivered().stream()
            .skip(before)
            .collect(
                Collectors.groupingBy(
                    value -> value.charAt(0), TreeMap::new, Collectors.counting()));
    List<Long> all = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      all.add(counts.getOrDefault((char) ('0' + partition), 0L));
    }
    return all;
  }

  private static long sum(List<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void aTurnSendsOneMebibyteAtFirstOfEachShardItsShare() {
    SimBridge bridge = withMessages(4, 10, 100_000);
    assertThat(turn(bridge, QUICK)).containsExactlyInAnyOrder(3L, 3L, 3L, 2L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofWhatIsDueWhenItIsReadTheRestIsStored(boolean transactional) {
    exactlyOnce = transactional;
    limited = false;
    SimBridge bridge = running("a");
    at(10);
    append(4, 10, 100_000);
    assertThat(turn(bridge, QUICK)).containsExactlyInAnyOrder(3L, 3L, 3L, 2L);
    assertThat(store.pending(shard())).hasSizeBetween(7, 8);
    turns(bridge);
    assertThat(delivered()).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void whatOthersDoNotNeedTheOneWithMuchMaySend() {
    SimBridge bridge = withMessages(1, 40, 100_000);
    for (int partition = 1; partition < PARTITIONS; partition++) {
      kafka.append(
          request(intake(partition), TARGET, Integer.toString(partition), 10, null), false);
    }
    assertThat(turn(bridge, QUICK)).containsExactly(10L, 1L, 1L, 1L);
  }

  @Test
  void itGrowsByStepsWhileItIsUsedUpAndKafkaIsQuick() {
    SimBridge bridge = withMessages(4, 300, 10_000);
    List<Long> sums = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      sums.add(sum(turn(bridge, QUICK)));
    }
    assertThat(sums.get(0)).isBetween(102L, 106L);
    assertThat(sums.get(5)).as("five steps of 64 KiB later").isBetween(134L, 138L);
  }

  @Test
  void itDoesNotGrowWhileItIsNotUsedUp() {
    SimBridge bridge = withMessages(1, 1, 100);
    for (int i = 0; i < 20; i++) {
      schedule("0", 10);
      turn(bridge, QUICK);
    }
    append(4, 10, 100_000);
    assertThat(sum(turn(bridge, QUICK))).isBetween(10L, 11L);
  }

  @Test
  void itIsHalvedWhenKafkaIsSlow() {
    SimBridge bridge = withMessages(4, 40, 50_000);
    assertThat(sum(turn(bridge, SLOW))).isBetween(20L, 24L);
    assertThat(sum(turn(bridge, SLOW))).isBetween(10L, 13L);
    assertThat(sum(turn(bridge, SLOW))).isBetween(5L, 7L);
  }

  @Test
  void whenLittleTakesLongThatIsNotBecauseItIsMuch() {
    SimBridge bridge = withMessages(1, 1, 100);
    assertThat(turn(bridge, SLOW)).element(0).isEqualTo(1L);
    append(4, 10, 100_000);
    assertThat(sum(turn(bridge, QUICK))).isBetween(10L, 11L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itBeginsAtOneStepWhenKafkaDidNotTakeItInTime(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = withMessages(4, 40, 10_000);
    bridge.delivery.fault(SimDelivery.Fault.NOT_OUT);
    assertThat(sum(turn(bridge, Duration.ofSeconds(10)))).isZero();
    clock.pass(Duration.ofSeconds(1));
    assertThat(sum(turn(bridge, QUICK))).isBetween(6L, 8L);
    assertThat(sum(turn(bridge, QUICK))).isBetween(12L, 16L);
  }

  @Test
  void whereOneMessageIsMoreThanItTheShardsTakeTurns() {
    SimBridge bridge = withMessages(4, 3, 1_500_000);
    List<List<Long>> turns = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      turns.add(turn(bridge, SLOW));
    }
    assertThat(turns)
        .containsExactlyInAnyOrder(
            List.of(1L, 0L, 0L, 0L),
            List.of(0L, 1L, 0L, 0L),
            List.of(0L, 0L, 1L, 0L),
            List.of(0L, 0L, 0L, 1L));
  }

  @Test
  void whatNothingGoesOutForNeedsNoShare() {
    SimBridge bridge = withMessages(4, 3, 1_500_000);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      append(intake(partition), Map.of(DelayHeaders.OP, DelayHeaders.OP_PAUSE));
    }
    turn(bridge, SLOW);
    assertThat(bridge.told.answered).isEqualTo(PARTITIONS);
  }

  @Test
  void aSmallMessageGoesOutAlthoughAnotherShardHasMuch() {
    SimBridge bridge = withMessages(1, 40, 100_000);
    turn(bridge, SLOW);
    turn(bridge, SLOW);
    kafka.append(request(P1, TARGET, "1", 10, null), false);
    assertThat(turn(bridge, SLOW)).element(1).isEqualTo(1L);
  }
}
