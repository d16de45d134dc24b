package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.shard.ToleranceJudge.Sight;
import io.delaybridge.shard.ToleranceWorld.Action;
import io.delaybridge.shard.ToleranceWorld.Kind;
import io.delaybridge.shard.ToleranceWorld.Script;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.statistics.Statistics;

/** When a loop wakes and what it takes, whatever is due in its shards and whatever happens. */
class TolerancePropertyTest {

  private static final QuietLog LOG = new QuietLog();

  @BeforeContainer
  static void quiet() {
    LOG.begin();
  }

  @AfterContainer
  static void loud() {
    LOG.end();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aLoopWakesInTimeForSomethingAndTakesAllThatIsDueOrNothing(@ForAll("scripts") Script script) {
    Set<Sight> sights = new ToleranceWorld(script, 1).run();

    for (Sight sight : Sight.values()) {
      Statistics.label(sight.name())
          .collect(sights.contains(sight))
          .coverage(all -> all.check(true).percentage(share -> share > 5));
    }
  }

  /** The judge is judged. */
  @Example
  void aLoopThatWaitsTwiceAsLongIsCaught() {
    Script script =
        new Script(
            List.of(10, 10, 10), true, true, 500, 0, List.of(new Action(0, 0, Kind.PLAIN, 100)));
    new ToleranceWorld(script, 1).run();

    assertThatThrownBy(() -> new ToleranceWorld(script, 2).run()).hasMessageContaining("SLEPT");
  }

  @Provide
  Arbitrary<Script> scripts() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequency(
            Tuple.of(8, Kind.PLAIN),
            Tuple.of(4, Kind.WITH_ID),
            Tuple.of(1, Kind.CANCEL),
            Tuple.of(1, Kind.ASK_TO_CANCEL),
            Tuple.of(1, Kind.PAUSE),
            Tuple.of(1, Kind.RESUME),
            Tuple.of(1, Kind.ASK_TO_REJECT),
            Tuple.of(1, Kind.MALFORMED),
            Tuple.of(1, Kind.MEND),
            Tuple.of(1, Kind.LOSE));
    Arbitrary<Action> actions =
        Combinators.combine(
                Arbitraries.of(0, 1, 3, 20, 100, 600),
                Arbitraries.integers().between(0, ToleranceWorld.SHARDS.size() - 1),
                kinds,
                Arbitraries.oneOf(
                    Arbitraries.integers().between(-20, 40),
                    Arbitraries.integers().between(0, ToleranceWorld.LONGEST_DELAY)))
            .as(Action::new);
    return Combinators.combine(
            Arbitraries.of(0, 1, 3, 10, 40, 200, 500).list().ofSize(ToleranceWorld.INTAKES.size()),
            Arbitraries.of(true, false),
            Arbitraries.of(true, false),
            Arbitraries.of(500, 500, 1, 2),
            Arbitraries.of(0, 0, 1, 7),
            actions.list().ofMinSize(1).ofMaxSize(25))
        .as(Script::new);
  }
}
