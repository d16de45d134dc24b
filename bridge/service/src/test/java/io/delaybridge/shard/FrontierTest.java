package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Due;
import io.delaybridge.shard.Frontier.Pair;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class FrontierTest {

  @Example
  void nothingIsCoveredAtFirst() {
    assertThat(Frontier.NONE.covers(new Due(0, 0))).isFalse();
    assertThat(Frontier.NONE.highest()).isZero();
  }

  @Example
  void aPairCoversWhatIsBelowItsOffsetAndBeforeItsKey() {
    Frontier frontier = Frontier.NONE.with(new Pair(10, new Due(1000, 4)));

    assertThat(frontier.covers(new Due(1000, 3))).isTrue();
    assertThat(frontier.covers(new Due(999, 9))).isTrue();
  }

  @Example
  void aPairDoesNotCoverItsOwnKey() {
    assertThat(Frontier.NONE.with(new Pair(10, new Due(1000, 4))).covers(new Due(1000, 4)))
        .isFalse();
  }

  @Example
  void aPairDoesNotCoverItsOwnOffsetHoweverEarlyItIsDue() {
    assertThat(Frontier.NONE.with(new Pair(10, Due.NEVER)).covers(new Due(0, 10))).isFalse();
  }

  @Example
  void aLaterTakeWithALowerKeyKeepsTheEarlierPair() {
    Pair earlier = new Pair(10, new Due(1000, 0));
    Pair later = new Pair(20, new Due(900, 15));

    assertThat(Frontier.NONE.with(earlier).with(later).pairs()).containsExactly(earlier, later);
  }

  @Example
  void aPairThatSaysMoreReplacesTheOthers() {
    Frontier frontier =
        Frontier.NONE
            .with(new Pair(10, new Due(1000, 0)))
            .with(new Pair(20, new Due(900, 15)))
            .with(new Pair(30, new Due(1000, 1)));

    assertThat(frontier.pairs()).containsExactly(new Pair(30, new Due(1000, 1)));
  }

  @Example
  void aPairThatSaysNothingNewChangesNothing() {
    Frontier frontier = Frontier.NONE.with(new Pair(10, new Due(1000, 0)));

    assertThat(frontier.with(new Pair(10, new Due(1000, 0)))).isSameAs(frontier);
    assertThat(frontier.with(new Pair(9, new Due(999, 0)))).isSameAs(frontier);
  }

  @Example
  void addingAPairLeavesTheFrontierItWasAddedToAlone() {
    Frontier before = Frontier.NONE.with(new Pair(10, new Due(1000, 0)));
    before.with(new Pair(20, Due.NEVER));

    assertThat(before.pairs()).containsExactly(new Pair(10, new Due(1000, 0)));
  }

  @Property
  void whatWasCoveredStaysCovered(
      @ForAll("pairs") @Size(max = 6) List<Pair> pairs,
      @ForAll("pair") Pair added,
      @ForAll("key") Due key) {
    Frontier before = frontier(pairs);

    assertThat(before.with(added).covers(key)).isEqualTo(before.covers(key) || covers(added, key));
  }

  @Property
  void exactlyTheUnionOfAllPairsIsCovered(
      @ForAll("pairs") @Size(max = 8) List<Pair> pairs, @ForAll("key") Due key) {
    assertThat(frontier(pairs).covers(key))
        .isEqualTo(pairs.stream().anyMatch(pair -> covers(pair, key)));
  }

  @Property
  void noPairIsKeptThatAnotherMakesSuperfluous(@ForAll("pairs") @Size(max = 8) List<Pair> pairs) {
    assertMinimal(frontier(pairs));
  }

  @Property
  void theHighestOffsetIsTheHighestOfAllPairs(@ForAll("pairs") @Size(max = 8) List<Pair> pairs) {
    assertThat(frontier(pairs).highest())
        .isEqualTo(pairs.stream().mapToLong(Pair::below).max().orElse(0));
  }

  @Property
  void theOrderInWhichPairsAreAddedDoesNotMatter(@ForAll("pairs") @Size(max = 8) List<Pair> pairs) {
    List<Pair> sorted = new ArrayList<>(pairs);
    sorted.sort(Comparator.comparing(Pair::before).thenComparing(Pair::below));

    assertThat(frontier(sorted)).isEqualTo(frontier(pairs));
  }

  /** Checks every sequence of up to three pairs over small offsets and keys against every key. */
  @Example
  void everySmallFrontierAgreesWithTheNaiveOne() {
    List<Due> keys = new ArrayList<>();
    for (long time = 0; time < 3; time++) {
      for (long offset = 0; offset < 3; offset++) {
        keys.add(new Due(time, offset));
      }
    }
    List<Due> bounds = new ArrayList<>(keys);
    bounds.add(Due.NEVER);
    List<Pair> pairs = new ArrayList<>();
    for (long below = 0; below < 4; below++) {
      for (Due before : bounds) {
        pairs.add(new Pair(below, before));
      }
    }
    int frontiers = 0;
    for (Pair first : pairs) {
      frontiers += assertNaive(List.of(first), keys);
      for (Pair second : pairs) {
        frontiers += assertNaive(List.of(first, second), keys);
        for (Pair third : pairs) {
          frontiers += assertNaive(List.of(first, second, third), keys);
        }
      }
    }
    assertThat(frontiers).isEqualTo(40 + 40 * 40 + 40 * 40 * 40);
  }

  /** Uses plain comparisons, since it runs half a million times. */
  private static int assertNaive(List<Pair> pairs, List<Due> keys) {
    Frontier frontier = frontier(pairs);
    for (Due key : keys) {
      boolean expected = false;
      for (Pair pair : pairs) {
        expected |= covers(pair, key);
      }
      if (frontier.covers(key) != expected) {
        throw new AssertionError(pairs + " cover " + key + ": " + expected + " expected");
      }
    }
    List<Pair> kept = frontier.pairs();
    for (int i = 1; i < kept.size(); i++) {
      if (kept.get(i - 1).below() >= kept.get(i).below()
          || kept.get(i - 1).before().compareTo(kept.get(i).before()) <= 0) {
        throw new AssertionError(pairs + " became " + kept);
      }
    }
    return 1;
  }

  private static void assertMinimal(Frontier frontier) {
    List<Pair> pairs = frontier.pairs();
    for (int i = 0; i < pairs.size(); i++) {
      for (int j = 0; j < pairs.size(); j++) {
        Pair a = pairs.get(i);
        Pair b = pairs.get(j);
        boolean superfluous =
            i != j && a.below() <= b.below() && a.before().compareTo(b.before()) <= 0;
        assertThat(superfluous).as("%s beside %s", a, b).isFalse();
      }
    }
  }

  private static boolean covers(Pair pair, Due key) {
    boolean earlier =
        key.time() < pair.before().time()
            || (key.time() == pair.before().time() && key.offset() < pair.before().offset());
    return key.offset() < pair.below() && earlier;
  }

  private static Frontier frontier(List<Pair> pairs) {
    Frontier frontier = Frontier.NONE;
    for (Pair pair : pairs) {
      frontier = frontier.with(pair);
    }
    return frontier;
  }

  @Provide
  Arbitrary<List<Pair>> pairs() {
    return pair().list();
  }

  /** Draws from a small range, so that pairs often coincide. */
  @Provide
  Arbitrary<Pair> pair() {
    return Combinators.combine(Arbitraries.longs().between(0, 20), key().injectNull(0.1))
        .as((below, before) -> new Pair(below, before == null ? Due.NEVER : before));
  }

  @Provide
  Arbitrary<Due> key() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 10), Arbitraries.longs().between(0, 20))
        .as(Due::new);
  }
}
