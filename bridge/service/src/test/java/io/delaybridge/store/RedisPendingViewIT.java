package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.covered;
import static io.delaybridge.store.Samples.far;
import static io.delaybridge.store.Samples.late;
import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.repeating;
import static io.delaybridge.store.Samples.retry;
import static io.delaybridge.store.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Ask;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredAsk.Verb;
import io.delaybridge.store.PendingView.Found;
import io.delaybridge.store.PendingView.Repeating;
import io.delaybridge.store.PendingView.Said;
import io.delaybridge.store.PendingView.Slice;
import io.delaybridge.store.PendingView.Summary;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisPendingView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Start and end of each look at a shard. */
class RedisPendingViewIT {

  /** More bytes than there are. */
  private static final int MANY = 1 << 20;

  private static final long NEXT = 200;

  @TempDir static Path dir;
  private static RedisServer redis;
  private static RedisConnection connection;
  private static PendingView view;

  private ShardClient client;
  private ShardId shard;

  @BeforeAll
  static void start() {
    redis = RedisServer.start(dir);
    connection = redis.connection(Duration.ofSeconds(10));
    view = new RedisPendingView(connection, RedisServer.PREFIX);
  }

  @AfterAll
  static void stop() {
    connection.close();
    redis.close();
  }

  /** Stores three messages that are due at 10, the last with an id, and two that are due at 20. */
  @BeforeEach
  void store() {
    client = new ShardClient(redis.store, ShardStoreContract.newShard());
    shard = client.shard().id();
    client.ingest(
        ShardStore.ABSENT,
        NEXT,
        schedule(message(1, 10)),
        schedule(message(2, 10)),
        schedule(named(3, 10, "a")),
        schedule(message(101, 20)),
        schedule(message(102, 20)));
  }

  @Test
  void whatIsSaidOfAnIdIsItsOriginAndWhereItIsFar() {
    ShardStore.Named known = new ShardStore.Named("far", 5, 17);
    client.recall(known, new ShardStore.Named("somewhere", 6));

    assertThat(view.said(List.of(shard), "a")).extracting(Said::origin).containsExactly(3L);
    assertThat(view.said(List.of(shard), "a")).extracting(Said::isFar).containsExactly(false);
    assertThat(view.said(List.of(shard), "far")).containsExactly(new Said(shard, 5, true, 17));
    assertThat(view.said(List.of(shard), "somewhere"))
        .containsExactly(new Said(shard, 6, true, ShardStore.Named.SOMEWHERE));
    assertThat(view.said(List.of(shard), "b")).isEmpty();
    assertThat(view.byId(List.of(shard), "far")).isEmpty();
    client.place(1, new ShardStore.Named("far", 5, 18));
    assertThat(view.said(List.of(shard), "far")).containsExactly(new Said(shard, 5, true, 18));
  }

  @Test
  void whatRepeatsIsListedInTheOrderInWhichItIsDueNearAndFar() {
    client.append(
        schedule(repeating(named(201, 30, "b"))),
        schedule(repeating(named(202, 30, "a"))),
        schedule(repeating(named(203, 5, "c"))),
        covered(repeating(far(204, 10, 900, "year"))),
        schedule(repeating(message(205, 7))));

    assertThat(view.repeating(shard, 0, null, Long.MAX_VALUE, 9))
        .containsExactly(
            new Repeating("c", 5),
            new Repeating("a", 30),
            new Repeating("b", 30),
            new Repeating("year", 900));
    assertThat(names(0, null, 900, 9)).containsExactly("c", "a", "b");
    assertThat(names(0, null, 900, 2)).containsExactly("c", "a");
    assertThat(names(30, "a", Long.MAX_VALUE, 2)).containsExactly("b", "year");
    assertThat(names(30, "aa", Long.MAX_VALUE, 1)).containsExactly("b");
    assertThat(names(31, null, Long.MAX_VALUE, 9)).containsExactly("year");
  }

  @Test
  void ofManyThatAreDueTogetherThoseBehindAnIdAreFound() {
    Entry[] many =
        IntStream.range(0, 2_500)
            .mapToObj(i -> schedule(repeating(named(201 + i, 30, "i%04d".formatted(i)))))
            .toArray(Entry[]::new);
    client.ingest(NEXT, NEXT + 3_000, many);

    assertThat(names(30, "i2100", Long.MAX_VALUE, 3)).containsExactly("i2101", "i2102", "i2103");
    assertThat(names(30, "i2499", Long.MAX_VALUE, 3)).isEmpty();
  }

  @Test
  void whatRepeatsIsListedUntilItsIdIsForgotten() {
    client.append(
        schedule(repeating(named(201, 30, "ends"))),
        schedule(repeating(named(202, 30, "goes on"))),
        schedule(repeating(named(203, 30, "cancelled"))),
        covered(repeating(named(204, 30, "swept"))));
    client.append(
        cancel("cancelled", 301),
        schedule(repeating(retry(302, 60, "goes on", 202))),
        schedule(repeating(retry(303, 60, "cancelled", 203))));

    client.settle(1, repeating(named(201, 30, "ends")));
    client.settleKeepingIds(1, repeating(named(202, 30, "goes on")));

    assertThat(view.repeating(shard, 0, null, Long.MAX_VALUE, 9))
        .containsExactly(new Repeating("swept", 30), new Repeating("goes on", 60));
    client.open();
    client.sweep("swept", "goes on");
    assertThat(names(0, null, Long.MAX_VALUE, 9)).containsExactly("goes on");
    client.drop();
    assertThat(names(0, null, Long.MAX_VALUE, 9)).isEmpty();
  }

  @Test
  void whatIsRecalledAndRepeatsIsListed() {
    client.recall(
        new ShardStore.Named("once", 5, 17),
        new ShardStore.Named("yearly", 6, 18, 900),
        new ShardStore.Named("a", 1, 19, 800));

    assertThat(names(0, null, Long.MAX_VALUE, 9)).containsExactly("yearly");
  }

  private List<String> names(long from, @Nullable String after, long before, int limit) {
    return view.repeating(shard, from, after, before, limit).stream().map(Repeating::id).toList();
  }

  @Test
  void aKeyIsThatOfOneMessageAndNotOfTheNext() {
    assertThat(view.byKey(shard, new Due(10, 2)))
        .map(Found::message)
        .map(found -> found.key())
        .contains(new Due(10, 2));
    assertThat(view.byKey(shard, new Due(10, 0))).isEmpty();
    assertThat(view.byKey(shard, new Due(10, 4))).isEmpty();
    assertThat(view.byKey(shard, new Due(15, 101))).isEmpty();
    assertThat(view.byKey(shard, new Due(10, Long.MAX_VALUE))).isEmpty();
    assertThat(view.byKey(shard, Due.NEVER)).isEmpty();
  }

  @Test
  void aPageBeginsBehindOneKeyAndEndsBeforeADueTime() {
    assertThat(offsets(view.page(shard, new Due(10, 0), 21, 10, MANY)))
        .containsExactly(1L, 2L, 3L, 101L, 102L);
    assertThat(offsets(view.page(shard, new Due(10, 2), 20, 10, MANY))).containsExactly(3L);
    assertThat(offsets(view.page(shard, new Due(10, 50), 21, 10, MANY)))
        .containsExactly(101L, 102L);
    assertThat(offsets(view.page(shard, new Due(10, Long.MAX_VALUE), Long.MAX_VALUE, 10, MANY)))
        .containsExactly(101L, 102L);
    assertThat(offsets(view.page(shard, new Due(20, 102), Long.MAX_VALUE, 10, MANY))).isEmpty();
  }

  @Test
  void onlyAPageThatIsNotFullIsKnownToBeTheLast() {
    assertThat(view.page(shard, new Due(10, 2), 21, 4, MANY).last()).isNull();
    Slice full = view.page(shard, new Due(10, 2), 21, 3, MANY);
    assertThat(offsets(full)).containsExactly(3L, 101L, 102L);
    assertThat(full.last()).isEqualTo(new Due(20, 102));
    Slice behind = view.page(shard, new Due(20, 102), 21, 3, MANY);
    assertThat(behind.found()).isEmpty();
    assertThat(behind.last()).isNull();
  }

  @Test
  void aPageEndsBeforeItsBytesDoButHasOneMessageHoweverLarge() {
    int three =
        view.page(shard, new Due(10, 0), 21, 3, MANY).found().stream()
            .mapToInt(found -> found.bytes() + 14)
            .sum();

    Slice one = view.page(shard, new Due(10, 0), 21, 10, 1);
    assertThat(offsets(one)).containsExactly(1L);
    assertThat(one.last()).isEqualTo(new Due(10, 1));
    assertThat(offsets(view.page(shard, new Due(10, 0), 21, 10, three))).hasSize(3);
    assertThat(offsets(view.page(shard, new Due(10, 0), 21, 10, three - 1))).hasSize(2);
    assertThat(offsets(view.page(shard, new Due(20, 101), 21, 10, 1))).containsExactly(102L);
  }

  @Test
  void whatIsDueNowIsOverdueAndWhatIsDueInAMillisecondIsNot() {
    assertThat(view.summaries(List.of(shard), 9))
        .containsExactly(new Summary(shard, NEXT, 0, 5, 0, 10));
    assertThat(view.summaries(List.of(shard), 10))
        .containsExactly(new Summary(shard, NEXT, 0, 5, 3, 10));
    assertThat(view.summaries(List.of(shard), 20))
        .containsExactly(new Summary(shard, NEXT, 0, 5, 5, 10));
  }

  @Test
  void whatWasPastDueWhenItWasWrittenWaitsSinceThen() {
    client.ingest(NEXT, NEXT + 1, schedule(late(NEXT, 3, 7)));

    assertThat(view.summaries(List.of(shard), 10))
        .containsExactly(new Summary(shard, NEXT + 1, 0, 6, 4, 7));
  }

  @Test
  void whatIsDueAtTheBeginningOfTimeIsAMessageAndAnAskIsNone() {
    Ask move = new Ask(Due.asked(NEXT), "a", new StoredAsk(Verb.MOVE, 3, 10, 5_000));
    client.ingest(NEXT, NEXT + 2, new Entry.Asked(move, false), schedule(message(NEXT + 1, 0)));

    assertThat(view.summaries(List.of(shard), 0))
        .containsExactly(new Summary(shard, NEXT + 2, 1, 5, 1, 0));
    assertThat(offsets(view.page(shard, new Due(0, 0), Long.MAX_VALUE, 10, MANY)))
        .containsExactly(NEXT + 1, 1L, 2L, 101L, 102L);
    assertThat(view.byKey(shard, Due.asked(NEXT))).isEmpty();
    assertThat(view.byId(List.of(shard), "a")).isEmpty();
  }

  @Test
  void anIntervalHasItsFirstMillisecondAndNotItsLast() {
    assertThat(view.counts(List.of(shard), List.of(0L, 10L, 20L, 21L, Long.MAX_VALUE)))
        .containsExactly(0L, 3L, 2L, 0L);
    assertThat(view.counts(List.of(shard), List.of(11L, 20L))).containsExactly(0L);
  }

  @Test
  void manyIntervalsOfManyPartitionsAreCounted() {
    List<ShardId> many = Collections.nCopies(1_000, shard);
    List<Long> bounds = LongStream.rangeClosed(0, 240).boxed().toList();

    List<Long> counts = view.counts(many, bounds);

    assertThat(counts).hasSize(240);
    assertThat(counts.get(10)).isEqualTo(1_000 * view.counts(List.of(shard), bounds).get(10));
  }

  @Test
  void anIdIsLookedForInEveryShardAndNothingIsKnownOfOneThatIsNotThere() {
    ShardId none = ShardStoreContract.newShard().id();

    assertThat(view.byId(List.of(none, shard), "a"))
        .extracting(found -> found.message().key())
        .containsExactly(new Due(10, 3));
    assertThat(view.summaries(List.of(none), 10))
        .containsExactly(new Summary(none, ShardStore.ABSENT, 0, 0, 0, Long.MAX_VALUE));
    assertThat(view.answer(shard, 3)).isEqualTo(Optional.empty());
  }

  private static List<Long> offsets(Slice page) {
    return page.found().stream().map(found -> found.message().offset()).toList();
  }
}
