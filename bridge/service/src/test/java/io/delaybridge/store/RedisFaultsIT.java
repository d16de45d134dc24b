package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.covered;
import static io.delaybridge.store.Samples.far;
import static io.delaybridge.store.Samples.home;
import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredAsk.Verb;
import io.delaybridge.stack.LocalRedis;
import io.delaybridge.stack.TcpProxy;
import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.ShardStore.Ingested;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.ShardStore.Opened;
import io.delaybridge.store.redis.RedisAddress;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisPendingView;
import io.delaybridge.store.redis.RedisShardStore;
import io.delaybridge.store.redis.RedisTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The behaviour of the store when Redis is down, paused or full. */
class RedisFaultsIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration AT_ONCE = Duration.ofMillis(1_500);

  /** The delay that a slow machine may add; a call that waits for ever takes longer. */
  private static final long SLOW_MS = 20_000;

  private static final Duration RECONNECTED = Duration.ofSeconds(30);

  @TempDir Path dir;
  private RedisServer redis;
  private ShardStore store;
  private ShardClient shard;

  @BeforeEach
  void start() {
    // Otherwise Redis may postpone a write while the disk is busy, and answer before it.
    redis = RedisServer.start(LocalRedis.at(dir).with("appendfsync", "always"));
    store = redis.store(TIMEOUT);
    shard = new ShardClient(store, ShardStoreContract.newShard());
    shard.append(schedule(named(1, 10, "a")), schedule(message(2, 10)));
  }

  @AfterEach
  void stop() {
    store.close();
    redis.close();
  }

  @Test
  void whileRedisIsDownEveryOperationFailsAtOnce() {
    redis.process.kill();
    await().atMost(RECONNECTED).until(() -> millis(() -> shard.open()) < AT_ONCE.toMillis());

    for (Operation operation : Operation.values()) {
      assertThat(millis(() -> operation.run(shard))).isLessThan(AT_ONCE.toMillis());
    }
    assertThat(millis(shard::ids)).isLessThan(AT_ONCE.toMillis());
    assertThat(millis(shard::drop)).isLessThan(AT_ONCE.toMillis());
    assertThat(millis(() -> ShardClient.await(store.memoryUse()))).isLessThan(AT_ONCE.toMillis());
  }

  @Test
  void theSameStoreGoesOnOnceRedisIsBack() {
    redis.process.kill();
    assertFails(() -> shard.open());

    redis.process.restart();

    await().atMost(RECONNECTED).until(() -> succeeds(() -> shard.open()));
    assertThat(shard.open()).isEqualTo(new Opened(100, 0, 2, 1));
    assertThat(shard.append(cancel("a"))).isEqualTo(new Ingested(true, 200, 1));
    assertThat(shard.pending()).containsExactly(message(2, 10));
  }

  @Test
  void aStoreMayBeMadeWhileRedisIsDown() {
    redis.process.kill();
    try (ShardStore early = redis.store(TIMEOUT)) {
      ShardClient client = new ShardClient(early, shard.shard());
      assertFails(client::open);

      redis.process.restart();

      assertThat(client.open()).isEqualTo(new Opened(100, 0, 2, 1));
    }
  }

  @Test
  void whatWasUnderWayWhenRedisDiedFailsAndIsNotSentAgain() {
    redis.process.pause();
    CompletableFuture<Ingested> underWay =
        store.ingest(shard.shard(), 100, 200, List.of(schedule(message(101, 10))));

    redis.process.kill();

    assertFails(() -> ShardClient.await(underWay));
    redis.process.restart();
    await().atMost(RECONNECTED).until(() -> succeeds(() -> shard.open()));
    assertThat(shard.open()).isEqualTo(new Opened(100, 0, 2, 1));
  }

  @Test
  void aMasterThatWasMadeACopyIsLeftForTheOneThatTheAddressLeadsTo() {
    try (LocalRedis other = LocalRedis.at(dir.resolve("other")).replicaOf(port()).start();
        TcpProxy front = TcpProxy.to(port());
        RedisShardStore behind = store(front)) {
      ShardClient client = new ShardClient(behind, shard.shard());
      await().atMost(RECONNECTED).until(other::isInSync);
      assertThat(client.open().next()).isEqualTo(100);

      other.promote();
      redis.process.command("REPLICAOF", "127.0.0.1", Integer.toString(other.port()));
      front.lead(other.port());

      assertFails(() -> client.ingest(100, 200, schedule(message(101, 10))));
      await()
          .atMost(RECONNECTED)
          .until(() -> succeeds(() -> client.ingest(100, 200, schedule(message(101, 10)))));
      assertThat(client.open().next()).isEqualTo(200);
    }
  }

  @Test
  void aMasterThatHangsIsLeftForTheOneThatTheAddressLeadsTo() {
    try (LocalRedis other = LocalRedis.at(dir.resolve("other")).replicaOf(port()).start();
        TcpProxy front = TcpProxy.to(port());
        RedisShardStore behind = store(front)) {
      ShardClient client = new ShardClient(behind, shard.shard());
      await().atMost(RECONNECTED).until(other::isInSync);
      assertThat(client.open().next()).isEqualTo(100);

      redis.process.pause();
      other.promote();
      front.lead(other.port());

      await()
          .atMost(RECONNECTED)
          .until(() -> succeeds(() -> client.ingest(100, 200, schedule(message(101, 10)))));
      assertThat(client.open().next()).isEqualTo(200);
      redis.process.resume();
    }
  }

  @Test
  void whoOnlyLooksLeavesAMasterThatHangsToo() {
    try (LocalRedis other = LocalRedis.at(dir.resolve("other")).replicaOf(port()).start();
        TcpProxy front = TcpProxy.to(port());
        RedisConnection connection = connection(front)) {
      PendingView view = new RedisPendingView(connection, RedisServer.PREFIX);
      await().atMost(RECONNECTED).until(other::isInSync);
      assertThat(view.byId(List.of(shard.shard().id()), "a")).hasSize(1);

      redis.process.pause();
      front.lead(other.port());

      await()
          .atMost(RECONNECTED)
          .until(() -> succeeds(() -> view.byId(List.of(shard.shard().id()), "a")));
      redis.process.resume();
    }
  }

  /** The last command of the script, and the number of bytes that the file loses. */
  @ParameterizedTest
  @CsvSource({
    "PAIR,30",
    "PAIR,200",
    "ONE,30",
    "REPLACE,30",
    "REPLACE,250",
    "CANCEL,30",
    "MOVE,30",
    "LEAVE,30",
    "LEAVE,150",
    "HOME,30",
    "HOME,250",
    "RECALL,30",
    "RECALL,150",
    "COMPLETE,30"
  })
  void halfAScriptThatIsReadFromACutFileDoesNothingElse(Write write, int cut) {
    for (int i = 0; i < 5; i++) {
      shard.append(schedule(message(100 * (i + 1) + 1, 20 + i)));
    }
    write.run(shard);

    redis.process.kill();
    assertThat(redis.process.cutOff(cut)).isTrue();
    redis.process.restart();
    await().atMost(RECONNECTED).until(() -> succeeds(() -> shard.open()));
    write.run(shard);
    shard.append(schedule(message(650, 30)));
    Opened opened = shard.open();
    List<DelayedMessage> pending = shard.pending();

    redis.process.kill();
    redis.process.restart();
    await().atMost(RECONNECTED).until(() -> succeeds(() -> shard.open()));
    assertThat(shard.open()).isEqualTo(opened);
    assertThat(shard.pending()).isEqualTo(pending);
  }

  /** Scripts that remove something. */
  private enum Write {
    PAIR,
    ONE,
    REPLACE,
    CANCEL,
    MOVE,
    LEAVE,
    HOME,
    RECALL,
    COMPLETE;

    void run(ShardClient shard) {
      switch (this) {
        case PAIR ->
            shard.settleBelow(
                1, shard.open().next(), new Due(20, 150), named(1, 10, "a"), message(2, 10));
        case ONE -> shard.settle(1, message(2, 10));
        case REPLACE -> shard.append(schedule(named(601, 25, "a")));
        case CANCEL -> shard.append(cancel("a"));
        case LEAVE -> {
          shard.append(schedule(far(601, 5, 900, "f")));
          shard.settle(1, far(601, 5, 900, "f"));
        }
        case HOME -> {
          shard.append(covered(far(601, 5, 900, "f")), covered(far(602, 5, 900, null)));
          shard.append(schedule(home(701, 900, "f", 601)), schedule(home(702, 900, null, 602)));
        }
        case RECALL -> shard.recall(0, new Named("a", 50), new Named("f", 51));
        case COMPLETE -> {
          shard.recall(0, new Named("a", 50), new Named("f", 51));
          shard.complete(0);
        }
        case MOVE -> {
          Ask move = new Ask(Due.asked(601), null, new StoredAsk(Verb.MOVE, 2, 10, 5_000));
          shard.append(new Entry.Asked(move, false));
        }
      }
    }
  }

  private int port() {
    return redis.process.port();
  }

  private static RedisShardStore store(TcpProxy front) {
    return new RedisShardStore(connection(front), RedisServer.PREFIX);
  }

  private static RedisConnection connection(TcpProxy front) {
    String uri = "redis://127.0.0.1:" + front.port();
    return new RedisConnection(new RedisAddress(uri, false, TIMEOUT, RedisTls.DEFAULT));
  }

  @Test
  void aPausedRedisLeadsToATimeout() {
    redis.process.pause();

    assertThat(millis(() -> shard.open()))
        .isBetween(TIMEOUT.toMillis() / 2, TIMEOUT.toMillis() + SLOW_MS);
    for (Operation operation : Operation.values()) {
      assertThat(millis(() -> operation.run(shard))).isLessThan(TIMEOUT.toMillis() + SLOW_MS);
    }
    redis.process.resume();
  }

  @Test
  void callsThatTimeOutTogetherDoNotWaitForEachOther() {
    redis.process.pause();
    List<CompletableFuture<Opened>> calls =
        LongStream.range(0, 20).mapToObj(i -> store.open(shard.shard())).toList();

    long start = System.nanoTime();
    calls.forEach(call -> assertFails(() -> ShardClient.await(call)));

    assertThat(millisSince(start)).isLessThan(TIMEOUT.toMillis() + SLOW_MS);
    redis.process.resume();
  }

  @Test
  void theFirstConnectionToAPausedRedisTimesOutToo() {
    redis.process.pause();
    try (ShardStore early = redis.store(TIMEOUT)) {
      ShardClient client = new ShardClient(early, shard.shard());

      assertThat(millis(client::open)).isLessThan(2 * TIMEOUT.toMillis() + SLOW_MS);
    } finally {
      redis.process.resume();
    }
  }

  @Test
  void aFullRedisRefusesAnIngestAndNothingIsHalfWritten() {
    fill();
    String before = redis.keys(shard).contents();

    assertFails(() -> shard.ingest(100, 200, schedule(message(101, 10))));
    assertFails(() -> shard.ingest(100, 200, schedule(named(101, 10, "b"))));
    assertFails(() -> shard.ingest(100, 200, schedule(message(101, 10)), cancel("a")));
    assertFails(() -> shard.ingest(100, 200));

    assertThat(redis.keys(shard).contents()).isEqualTo(before);
  }

  @Test
  void aFullRedisTakesTheRestOfWhatIsCommittedAsRead() {
    shard.recall(0);
    fill();
    List<Entry> entries =
        LongStream.range(100, 1800).mapToObj(offset -> schedule(message(offset, 10))).toList();

    ShardClient.await(store.ingestRest(shard.shard(), 100, 1800, entries));
    ShardClient.await(store.ingestRest(shard.shard().recalled(), 1800, 1900, List.of()));

    assertThat(shard.open()).isEqualTo(new Opened(1900, 0, 1702, 1, Index.RECALLED, 0));
  }

  @Test
  void aFullRedisRefusesABatchOfManyPartsAsAWhole() {
    fill();
    Entry[] entries =
        LongStream.range(100, 1800)
            .mapToObj(offset -> schedule(message(offset, 10)))
            .toArray(Entry[]::new);

    assertFails(() -> shard.ingest(100, 1800, entries));

    assertThat(shard.open()).isEqualTo(new Opened(100, 0, 2, 1));
  }

  @Test
  void aBatchThatBeginsWithACancellationIsAppliedWholeByAFullRedis() {
    fill();

    shard.ingest(100, 200, cancel("a"), schedule(named(101, 5, "b")));

    assertThat(shard.open()).isEqualTo(new Opened(200, 0, 2, 1));
    assertThat(shard.pending()).containsExactly(named(101, 5, "b"), message(2, 10));
    assertThat(shard.ids()).containsExactly("b");
  }

  @Test
  void aFullRedisRecallsNothingAndNothingIsHalfRecalled() {
    Named[] copies =
        IntStream.range(0, 1200).mapToObj(i -> new Named("id-" + i, i)).toArray(Named[]::new);
    fill();
    String before = redis.keys(shard).contents();

    assertFails(() -> shard.recall(100, 0, true, List.of(copies)));
    assertFails(() -> shard.recall(100, 0, true, List.of()));
    assertThat(redis.keys(shard).contents()).isEqualTo(before);

    redis.process.command("CONFIG", "SET", "maxmemory", "0");
    shard.recall(0, copies);
    assertThat(shard.open()).isEqualTo(new Opened(100, 0, 2, 1201, Index.RECALLED, 1200));
  }

  @Test
  void aFullRedisDoesNotCompleteAnIndexAndStillJudges() {
    shard.recall(0, new Named("b", 5));
    fill();

    assertFails(() -> shard.complete(100));
    assertThat(shard.isAlive("b", 5)).isTrue();
    assertThat(shard.open().index()).isEqualTo(Index.RECALLED);

    redis.process.command("CONFIG", "SET", "maxmemory", "0");
    assertThat(shard.complete(100)).isTrue();
  }

  @Test
  void aFullRedisNotesWhatLeftForTheLaterTopic() {
    shard.append(schedule(far(101, 5, 900, "f")), schedule(far(102, 5, 900, "g")));
    fill();

    assertThat(shard.settleKeepingIds(1, far(101, 5, 900, "f"))).isEqualTo(3);
    assertThat(shard.settleBelow(2, 200, new Due(6, 0))).isEqualTo(2);
    shard.place(3, new Named("f", 101, 17));

    assertThat(shard.open()).isEqualTo(new Opened(200, 3, 2, 3, Index.NEAR, 2));
  }

  @Test
  void aFullRedisStillGivesAndSettlesMessages() {
    fill();

    assertThat(shard.open()).isEqualTo(new Opened(100, 0, 2, 1));
    assertThat(shard.take(20).messages()).containsExactly(named(1, 10, "a"), message(2, 10));
    assertThat(shard.settle(4, message(2, 10))).isEqualTo(1);
    assertThat(shard.settle(5, message(2, 10))).isEqualTo(1);
    assertThat(shard.settleKeepingIds(7, named(1, 10, "a"))).isZero();
    assertThat(shard.sweep("a")).isEqualTo(1);

    assertThat(shard.open()).isEqualTo(new Opened(100, 7, 0, 0));
    assertThat(shard.drop()).isPositive();
  }

  @Test
  void aFullRedisNotesWhoOpenedTheShardAndNobodyElseSweepsIt() {
    shard.settleKeepingIds(4, named(1, 10, "a"));
    fill();
    try (ShardStore other = redis.store(TIMEOUT)) {
      new ShardClient(other, shard.shard()).open();

      assertThat(shard.sweep("a")).isEqualTo(ShardStore.NOT_OWNER);
      assertThat(shard.ids()).containsExactly("a");
    }
  }

  @Test
  void aRedisThatTakesNoWritesOpensNoShard() {
    redis.process.command("CONFIG", "SET", "min-replicas-to-write", "1");

    assertFails(shard::open);

    redis.process.command("CONFIG", "SET", "min-replicas-to-write", "0");
    assertThat(shard.open().next()).isEqualTo(100);
  }

  @Test
  void aFullRedisThatKnowsNoScriptStillSettles() {
    fill();
    redis.process.command("SCRIPT", "FLUSH");

    assertThat(shard.take(20).messages()).hasSize(2);
    assertThat(shard.settle(4, message(2, 10))).isEqualTo(1);
  }

  @Test
  void aRedisThatIsNoLongerFullTakesMessagesAgain() {
    fill();
    assertFails(() -> shard.append(schedule(message(101, 10))));
    assertThat(ShardClient.await(store.memoryUse())).isGreaterThan(1);

    redis.process.command("CONFIG", "SET", "maxmemory", "0");

    assertThat(shard.append(schedule(message(101, 10)))).isEqualTo(new Ingested(true, 200, 3));
  }

  private void fill() {
    redis.process.command("CONFIG", "SET", "maxmemory", "1");
  }

  private static void assertFails(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(StoreException.class)
        .isNotInstanceOf(StoreException.Corrupt.class)
        .isNotInstanceOf(StoreException.OtherTopic.class);
  }

  private static boolean succeeds(Runnable call) {
    return catchThrowable(call::run) == null;
  }

  /** Returns how long the call took to fail. */
  private static long millis(Runnable call) {
    long start = System.nanoTime();
    assertFails(call);
    return millisSince(start);
  }

  private static long millisSince(long start) {
    return Duration.ofNanos(System.nanoTime() - start).toMillis();
  }
}
