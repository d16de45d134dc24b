package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.ShardStore.Named;
import java.util.List;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A copy that Kafka refuses neither delays other copies nor gets lost. */
class LapRefusalRulesTest extends FarRuleTest {

  /** Runs a lap and the time for all its attempts. */
  private void lap(SimBridge bridge) {
    lap(bridge, LAP);
  }

  private void lap(SimBridge bridge, long from) {
    secondBySecond(bridge, from, from + 19_000);
  }

  private SimBridge withThreeFarOnes() {
    SimBridge bridge = running("a");
    schedule("first", DUE);
    schedule("refused", DUE, "id");
    schedule("last", DUE);
    turns(bridge);
    return bridge;
  }

  private List<String> cameHome() {
    return kafka.records(SimKafka.INTAKE).stream()
        .filter(record -> record.headers().lastHeader(DelayHeaders.RETRY) != null)
        .map(record -> text(record.value()))
        .toList();
  }

  private boolean isAlive(String id, long origin) {
    return store.judge(shard(), List.of(new Named(id, origin))).join().alive().get(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatTheIntakeRefusesIsADeadLetter(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = withThreeFarOnes();
    kafka.refuse(SimKafka.INTAKE, "refused", new InvalidTimestampException("too old"));
    lap(bridge);

    assertThat(cameHome()).contains("first", "last").doesNotContain("refused");
    assertThat(dead()).containsExactly("refused REFUSED_BY_TARGET");
    assertThat(bridge.told.deadLettered).isEqualTo(1);
    assertThat(status(bridge).later()).isEqualTo(ShardStatus.Later.NONE);
    assertThat(isAlive("id", 1)).as("its id is free").isFalse();
    // Without a transaction, the other copies of the batch come twice, but no more than that.
    assertThat(cameHome()).hasSize(transactional ? 2 : 4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itsDeadLetterHasNoContentIfThatIsTooLarge(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = withThreeFarOnes();
    kafka.refuse(SimKafka.INTAKE, "refused", new RecordTooLargeException("too large"));
    kafka.refuse(SimKafka.DEAD, "refused", new RecordTooLargeException("too large"));
    lap(bridge);

    assertThat(cameHome()).contains("first", "last");
    assertThat(dead()).containsExactly("- RECORD_TOO_LARGE");
    assertThat(bridge.told.home).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatKafkaMayTakeLaterIsTriedAgain(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = withThreeFarOnes();
    kafka.refuse(SimKafka.INTAKE, "refused", new NotLeaderOrFollowerException("no leader"));
    lap(bridge);
    assertThat(dead()).isEmpty();
    assertThat(cameHome()).contains("first").doesNotContain("refused");
    assertThat(cameHome()).hasSize(transactional ? 1 : 3);

    kafka.accept();
    lap(bridge, LAP + 30_000);
    assertThat(cameHome()).contains("first", "refused", "last");
    assertThat(status(bridge).later()).isEqualTo(ShardStatus.Later.NONE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLaterTopicThatTimesOutHoldsUpItsShardOnly(boolean transactional) {
    exactlyOnce = transactional;
    kafka.addPartitions(SimLater.TOPIC, 2);
    kafka.addPartitions(SimKafka.INTAKE, 2);
    SimBridge bridge = running("a");
    kafka.refuse(SimLater.TOPIC, "far", new TimeoutException("slow"));
    schedule("far", HORIZON + 60_000);
    kafka.append(request(P1, TARGET, "near", 5_000, null), false);
    secondBySecond(bridge, 0, 5_000);

    assertThat(delivered()).containsExactly("near");
    assertThat(dead()).isEmpty();
    assertThat(status(bridge).problem()).contains("later topic");

    kafka.accept();
    secondBySecond(bridge, 6_000, HORIZON + 60_000);
    assertThat(delivered()).containsExactly("near", "far");
  }

  @Test
  void whatWasTakenBackIsNoDeadLetterBesideMessagesThatAreDueWhenRead() {
    limited = false;
    SimBridge bridge = running("a");
    kafka.refuse(SimLater.TOPIC, "refused", new InvalidTimestampException("too old"));
    schedule("refused", DUE, "id");
    schedule("instead", DUE, "id");
    for (int i = 0; i < 50; i++) {
      schedule("now", 0);
      turn(bridge);
    }

    assertThat(delivered()).contains("now");
    assertThat(dead()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatWasTakenBackBeforeItsFirstCopyIsNoDeadLetter(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = running("a");
    kafka.refuse(SimLater.TOPIC, "refused", new InvalidTimestampException("too old"));
    schedule("refused", DUE, "id");
    schedule("instead", DUE, "id");
    schedule("refused", DUE, "other");
    turns(bridge);
    kafka.accept();
    lap(bridge);

    assertThat(dead()).as("only the one that nothing replaced").hasSize(1);
    assertThat(bridge.told.deadLettered).isEqualTo(1);
    assertThat(cameHome()).containsExactly("instead");
    assertThat(status(bridge).later()).isEqualTo(ShardStatus.Later.NONE);
  }
}
