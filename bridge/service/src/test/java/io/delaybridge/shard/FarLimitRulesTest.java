package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.ShardStore.Index;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A far message beyond a limit of its intake becomes a dead letter instead of leaving. */
class FarLimitRulesTest extends FarRuleTest {

  /** A bridge for which every far message is one too many whose value begins like this. */
  private SimBridge refusing(String name, String prefix) {
    SimBridge bridge = bridge(name);
    bridge.told.beyond = message -> text(message.content().value()).startsWith(prefix);
    turns(bridge);
    return bridge;
  }

  private List<String> later() {
    return kafka.records(SimLater.TOPIC).stream().map(each -> text(each.value())).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itIsADeadLetterAndThoseWithinTheLimitAreNot(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = refusing("a", "many");
    schedule("one", DUE, "x");
    schedule("many, with an id", DUE, "y");
    schedule("many", DUE);
    schedule("another", DUE);
    turns(bridge);

    assertThat(dead()).containsExactly("many, with an id QUOTA_EXCEEDED", "many QUOTA_EXCEEDED");
    assertThat(later()).containsExactly("one", "another");
    assertThat(status(bridge).later().copies()).isEqualTo(2);
    assertThat(store.ids(shard())).containsExactly("x");
  }

  /** An ask that rejects it would come too late, and its occurrences are never too many. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void soIsWhatIsDueAtOnce(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = refusing("a", "many");
    schedule("many", 0);
    bridge.told.beyond =
        message -> message.repeats() || text(message.content().value()).startsWith("many");
    append(
        Map.of(
            DelayHeaders.TARGET_TOPIC,
            TARGET,
            DelayHeaders.CRON,
            "* * * * *",
            DelayHeaders.ID,
            "x"));
    schedule("one", 0);
    turns(bridge);
    at(120_000);
    turns(bridge);

    assertThat(dead()).hasSize(2).allMatch(each -> each.endsWith("QUOTA_EXCEEDED"));
    assertThat(delivered()).containsExactly("one");
    assertThat(store.ids(shard())).isEmpty();
  }

  @Test
  void whatWasCancelledBeforeItCouldLeaveIsNoDeadLetter() {
    maxTakeCount = 1;
    SimBridge bridge = refusing("a", "many");
    schedule("due", 0);
    schedule("many", DUE, "x");
    bridge.step();
    cancel("x");
    turns(bridge);

    assertThat(delivered()).containsExactly("due");
    assertThat(dead()).isEmpty();
    at(LAP + 1000);
    turns(bridge);
    assertThat(bridge.told.dropped).isEqualTo(1);
  }

  @Test
  void whatIsFedAgainIsNeitherRefusedNorDeadAgain() {
    SimBridge bridge = refusing("a", "many");
    schedule("accepted", DUE, "x");
    schedule("many", DUE, "y");
    turns(bridge);
    bridge.told.beyond = message -> true;
    store.wipe();
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);

    assertThat(bridge.told.refed).isEqualTo(1);
    assertThat(bridge.told.admitted).isEqualTo(2);
    assertThat(dead()).containsExactly("many QUOTA_EXCEEDED");
    assertThat(bridge.shard(P0).index).isEqualTo(Index.COMPLETE);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    assertThat(store.ids(shard())).as("nothing is left of what was refused").containsExactly("x");
    secondBySecond(bridge, LAP, DUE);
    assertThat(delivered()).containsExactly("accepted");
  }

  @Test
  void whatAnotherOwnerHasAcceptedIsNotRefused() {
    maxTakeCount = 1;
    SimBridge first = running("a");
    schedule("due", 0);
    schedule("far", DUE);
    first.step();
    first.crash();
    SimBridge second = refusing("b", "far");

    assertThat(second.told.admitted).isZero();
    assertThat(dead()).isEmpty();
    assertThat(later()).containsExactly("far");
  }

  /** It is read twice: when its time is known and when it comes home. */
  @Test
  void anOccurrenceThatWasFarCountsOnce() {
    SimBridge bridge = running("a");
    append(
        Map.of(
            DelayHeaders.TARGET_TOPIC,
            TARGET,
            DelayHeaders.DELIVER_AT,
            Long.toString(START + DUE),
            DelayHeaders.EVERY,
            "PT20S",
            DelayHeaders.ID,
            "x"));
    turns(bridge);
    secondBySecond(bridge, LAP, DUE);
    assertThat(bridge.told.home).isEqualTo(1);
    assertThat(delivered()).hasSize(1);
    assertThat(bridge.told.admitted).as("and the next occurrence").isEqualTo(2);

    secondBySecond(bridge, DUE, DUE + 18_000);
    assertThat(bridge.told.home).as("the next occurrence, too").isEqualTo(2);
    assertThat(bridge.told.admitted).isEqualTo(2);
  }
}
