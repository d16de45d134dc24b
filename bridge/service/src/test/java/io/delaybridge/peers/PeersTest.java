package io.delaybridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.store.PeerBoard;
import io.delaybridge.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules for giving up processes. */
class PeersTest {

  /** The number of looks after which a dead process must be out of the group, for any observer. */
  private static final int NOTICED = Peers.GIVEN_UP_AFTER + 2;

  private final Board board = new Board();
  private final Map<String, Instance> processes = new TreeMap<>();

  /** A hash that all processes share. */
  private static final class Board implements PeerBoard {
    private final Map<String, String> signs = new HashMap<>();

    @Override
    public Map<String, String> sign(String process, String sign) {
      signs.put(process, sign);
      return look();
    }

    Map<String, String> look() {
      return new HashMap<>(signs);
    }

    @Override
    public OptionalLong time() {
      return OptionalLong.empty();
    }

    @Override
    public void remove(String process) {
      signs.remove(process);
    }
  }

  /** One process, with its effects on others. */
  private final class Instance implements Self, Group, PeerBoard {
    final String id;
    final Peers peers;
    final List<String> fenced = new ArrayList<>();
    final List<String> removed = new ArrayList<>();
    int givenUp;
    boolean well = true;
    boolean seesStore = true;
    boolean kafkaAnswers = true;
    boolean fences = true;
    @Nullable Long clockAhead;

    Instance(String id) {
      this.id = id;
      this.peers = new Peers(id, this, this, this, () -> givenUp++, () -> clockAhead);
      processes.put(id, this);
    }

    @Override
    public boolean isWell() {
      return well;
    }

    @Override
    public List<String> members() {
      return List.of(id + "-loop-0", id + "-loop-1");
    }

    @Override
    public List<String> transactionalIds() {
      return List.of(id + "-even", id + "-odd");
    }

    @Override
    public CompletionStage<Void> fence(List<String> transactionalIds) {
      fenced.addAll(transactionalIds);
      return fences
          ? answer()
          : CompletableFuture.failedStage(new IllegalStateException("a concurrent transaction"));
    }

    @Override
    public CompletionStage<Void> remove(List<String> members) {
      removed.addAll(members);
      return answer();
    }

    private CompletionStage<Void> answer() {
      return kafkaAnswers
          ? CompletableFuture.completedStage(null)
          : CompletableFuture.failedStage(new IllegalStateException("Kafka does not answer"));
    }

    @Override
    public OptionalLong time() {
      return reached().time();
    }

    @Override
    public Map<String, String> sign(String process, String sign) {
      return reached().sign(process, sign);
    }

    @Override
    public void remove(String process) {
      reached().remove(process);
    }

    private Board reached() {
      if (!seesStore) {
        throw new StoreException("Redis does not answer", new IOException("cut"));
      }
      return board;
    }

    void looks(int times) {
      for (int i = 0; i < times; i++) {
        peers.look();
      }
    }
  }

  private final Instance a = new Instance("a");
  private final Instance b = new Instance("b");

  /** Lets both look, one after the other, when the first has seen the last sign of the second. */
  private void both(int times) {
    for (int i = 0; i < times; i++) {
      a.looks(1);
      b.looks(1);
    }
    a.looks(1);
  }

  @Test
  void whoLivesIsLeftAlone() {
    both(1_000);

    assertThat(a.fenced).isEmpty();
    assertThat(a.removed).isEmpty();
    assertThat(b.fenced).isEmpty();
  }

  @Test
  void whoIsGoneIsFencedSoonAndThenTakenOutOfTheGroup() {
    both(Peers.NEW_UNTIL);

    a.looks(Peers.FENCED_AFTER);
    assertThat(a.fenced).containsExactly("b-even", "b-odd");
    assertThat(a.removed).isEmpty();

    a.looks(Peers.GIVEN_UP_AFTER - Peers.FENCED_AFTER + 1);
    assertThat(a.removed).containsExactly("b-loop-0", "b-loop-1");
    assertThat(a.givenUp).isEqualTo(1);
    assertThat(board.look()).containsOnlyKeys("a");
  }

  @Test
  void whoIsNewIsNotFencedBeforeItIsGivenUp() {
    both(Peers.NEW_UNTIL - 1);

    a.looks(Peers.GIVEN_UP_AFTER - 1);
    assertThat(a.fenced).isEmpty();

    a.looks(1);
    assertThat(a.fenced).containsExactly("b-even", "b-odd");
    assertThat(a.removed).containsExactly("b-loop-0", "b-loop-1");
  }

  @Test
  void whatCouldNotBeDoneIsTriedAgain() {
    both(Peers.NEW_UNTIL);
    a.kafkaAnswers = false;

    a.looks(NOTICED);
    assertThat(board.look()).containsKey("b");
    a.kafkaAnswers = true;
    a.looks(NOTICED);

    assertThat(board.look()).containsOnlyKeys("a");
    assertThat(a.givenUp).isEqualTo(1);
  }

  /** Its coordinator may have died with it. Nothing but its sign has its transactional ids. */
  @Test
  void whoCouldNotBeFencedIsFencedLater() {
    both(Peers.NEW_UNTIL);
    a.fences = false;
    a.looks(NOTICED);
    assertThat(a.removed).isNotEmpty();
    assertThat(board.look()).containsKey("b");

    a.fences = true;
    a.fenced.clear();
    a.looks(NOTICED);
    assertThat(a.fenced).containsExactly("b-even", "b-odd");
    assertThat(board.look()).containsOnlyKeys("a");
    assertThat(a.givenUp).isEqualTo(1);
  }

  /** A target that is down may delay the open transactions of a dead process. */
  @Test
  void whoCannotBeFencedIsOutWhenKafkaHasEndedItsTransactions() {
    both(Peers.NEW_UNTIL);
    a.fences = false;

    a.looks(Peers.ENDED_AFTER - 1);
    assertThat(board.look()).containsKey("b");
    a.looks(NOTICED);
    assertThat(board.look()).containsOnlyKeys("a");
  }

  @Test
  void whoBeginsWhileRedisIsAwayGivesTheOthersTimeToComeBack() {
    both(Peers.NEW_UNTIL);
    Instance c = new Instance("c");
    c.seesStore = false;
    c.looks(1);
    c.seesStore = true;

    c.looks(Peers.GRACE + Peers.FENCED_AFTER - 1);
    assertThat(c.fenced).isEmpty();
    assertThat(c.removed).isEmpty();
  }

  @Test
  void whoHasLeftLeavesNoSignAnyMore() {
    both(Peers.NEW_UNTIL);
    b.peers.leave();

    b.looks(1);

    assertThat(board.look()).containsOnlyKeys("a");
  }

  @Test
  void whoWasSlowIsFencedOnceForEachTimeAndStays() {
    for (int i = 0; i < 3; i++) {
      b.looks(1);
      both(Peers.NEW_UNTIL);
      a.looks(Peers.GIVEN_UP_AFTER - 1);
    }

    assertThat(a.fenced).hasSize(3 * 2);
    assertThat(a.removed).isEmpty();
  }

  @Test
  void whoComesBackIsSeenAgain() {
    both(Peers.NEW_UNTIL);
    a.looks(NOTICED);
    both(Peers.NEW_UNTIL);

    a.looks(NOTICED);

    assertThat(a.givenUp).isEqualTo(2);
  }

  @Test
  void whileRedisIsAwayNobodyIsGivenUpAndAfterItEveryoneHasTime() {
    both(Peers.NEW_UNTIL);
    a.seesStore = false;
    a.looks(100);
    a.seesStore = true;

    a.looks(Peers.GRACE + Peers.FENCED_AFTER - 1);
    assertThat(a.fenced).isEmpty();

    a.looks(NOTICED);
    assertThat(a.removed).as("who does not come back").isNotEmpty();
  }

  @Test
  void whoHasNoAnswerOfKafkaJudgesNobodyAndAfterItEveryoneHasTime() {
    both(Peers.NEW_UNTIL);
    a.well = false;
    a.looks(100);
    a.well = true;

    a.looks(Peers.GRACE + Peers.FENCED_AFTER - 1);
    assertThat(a.fenced).isEmpty();
  }

  @Test
  void whoHasNoAnswerOfKafkaIsGivenUpByWhoHas() {
    both(Peers.NEW_UNTIL);
    b.well = false;

    both(NOTICED);

    assertThat(a.removed).containsExactly("b-loop-0", "b-loop-1");
    assertThat(b.removed).isEmpty();
  }

  @Test
  void whoLeavesInGoodOrderIsNotGivenUp() {
    both(Peers.NEW_UNTIL);
    b.peers.leave();

    a.looks(NOTICED);

    assertThat(a.fenced).isEmpty();
  }

  @Test
  void aBoardThatWasEmptiedMakesNobodyDead() {
    both(Peers.NEW_UNTIL);
    board.signs.clear();

    both(NOTICED);

    assertThat(a.fenced).isEmpty();
    assertThat(b.fenced).isEmpty();
  }

  @Test
  void whatAnotherReleaseHasWrittenIsNotJudged() {
    board.sign("c", "a sign of the future");
    board.sign("d", "{\"beat\": 1}");

    both(NOTICED);

    assertThat(a.fenced).isEmpty();
    assertThat(board.look()).containsKeys("c", "d");
  }

  @Test
  void aSignMayHaveMoreInALaterRelease() {
    board.sign(
        "c", "{\"beat\":1,\"members\":[\"m\"],\"transactionalIds\":[\"t\"],\"more\":{\"x\":1}}");

    a.looks(NOTICED);

    assertThat(a.removed).containsExactly("m");
  }

  @Test
  void whatTheOthersSayOfTheirClocksIsKnown() {
    b.clockAhead = 3_000L;
    Instance old = new Instance("of a release that does not say");
    both(1);
    old.looks(1);
    a.looks(1);

    assertThat(a.peers.clocksAhead()).containsExactly(3_000L);
  }

  /**
   * Processes that are randomly slow, frozen, or cut off from Redis, Kafka or both. No process is
   * given up that all others could have heard from. A process that stays away is given up by the
   * others.
   */
  @Test
  void onlyWhoWasNotHeardOfIsGivenUp() {
    for (long seed = 0; seed < 3_000; seed++) {
      processes.clear();
      board.signs.clear();
      anyWay(new SplittableRandom(seed), seed);
    }
  }

  private void anyWay(SplittableRandom random, long seed) {
    List<Instance> all = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(3); i++) {
      all.add(new Instance("p" + i));
    }
    Map<String, Integer> quiet = new HashMap<>();
    all.forEach(each -> quiet.put(each.id, 0));
    Map<String, Integer> frozen = new HashMap<>();
    for (int round = 0; round < 100; round++) {
      for (Instance each : all) {
        int before = frozen.merge(each.id, -1, Integer::sum);
        if (before < 0 && random.nextInt(30) == 0) {
          frozen.put(each.id, random.nextInt(20));
        }
        if (random.nextInt(20) == 0) {
          each.seesStore = random.nextInt(3) > 0;
          each.well = random.nextInt(3) > 0;
        }
      }
      for (Instance each : all) {
        if (frozen.getOrDefault(each.id, -1) >= 0) {
          quiet.merge(each.id, 1, Integer::sum);
          continue;
        }
        each.removed.clear();
        each.peers.look();
        boolean signs = each.seesStore && each.well;
        quiet.compute(each.id, (id, rounds) -> signs || rounds == null ? 0 : rounds + 1);
        for (String member : each.removed) {
          String id = member.substring(0, member.indexOf('-'));
          assertThat(quiet.getOrDefault(id, 0))
              .as("seed %d, round %d: rounds without a sign of %s", seed, round, id)
              .isGreaterThanOrEqualTo(Peers.GIVEN_UP_AFTER - 1);
        }
      }
    }
    Instance survivor = all.get(0);
    survivor.seesStore = true;
    survivor.well = true;
    survivor.looks(Peers.GRACE + NOTICED);
    assertThat(board.look()).as("seed %d", seed).containsOnlyKeys(survivor.id);
  }
}
