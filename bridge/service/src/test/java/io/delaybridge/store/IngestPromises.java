package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.schedule;
import static io.delaybridge.store.ShardStore.ABSENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.store.ShardStore.Ingested;
import io.delaybridge.store.ShardStore.Opened;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The position of a shard moves correctly, and nothing slips in beside it. */
interface IngestPromises extends StoreFixture {

  @Test
  default void aShardThatWasNeverWrittenOpensAsAbsent() {
    assertThat(shard().open()).isEqualTo(new Opened(ABSENT, 0, 0, 0));
  }

  @Test
  default void theFirstIngestCreatesTheShard() {
    assertThat(shard().ingest(ABSENT, 10, schedule(message(3, 50))))
        .isEqualTo(new Ingested(true, 10, 1));

    assertThat(shard().open()).isEqualTo(new Opened(10, 0, 1, 0));
    assertThat(shard().pending()).containsExactly(message(3, 50));
  }

  @Test
  default void theFirstIngestCreatesTheShardEvenWithoutEntries() {
    assertThat(shard().ingest(ABSENT, 0)).isEqualTo(new Ingested(true, 0, 0));

    assertThat(shard().open()).isEqualTo(new Opened(0, 0, 0, 0));
  }

  @Test
  default void thePositionMovesWithoutEntries() {
    shard().ingest(ABSENT, 10, schedule(message(3, 50)));

    assertThat(shard().ingest(10, 12)).isEqualTo(new Ingested(true, 12, 1));
    assertThat(shard().open().next()).isEqualTo(12);
  }

  @Test
  default void thePositionMayBeAsLargeAsAnOffsetGets() {
    long large = Long.MAX_VALUE - 1;
    shard().ingest(ABSENT, large);

    assertThat(shard().ingest(large - 1, large).applied()).isFalse();
    assertThat(shard().open().next()).isEqualTo(large);
  }

  @ParameterizedTest
  @ValueSource(longs = {ABSENT, 0, 9, 11, 1L << 40})
  default void anIngestFromAnotherPositionChangesNothing(long expectedNext) {
    shard().ingest(ABSENT, 10, schedule(named(3, 50, "a")));

    Ingested refused = shard().ingest(expectedNext, 20, cancel("a"), schedule(message(12, 5)));

    assertThat(refused).isEqualTo(new Ingested(false, 10, 1));
    assertThat(shard().open()).isEqualTo(new Opened(10, 0, 1, 1));
    assertThat(shard().pending()).containsExactly(named(3, 50, "a"));
    assertThat(shard().ids()).containsExactly("a");
  }

  @Test
  default void anIngestFromSomewhereCreatesNoShard() {
    assertThat(shard().ingest(0, 10, schedule(named(3, 50, "a"))))
        .isEqualTo(new Ingested(false, ABSENT, 0));

    assertThat(shard().open().next()).isEqualTo(ABSENT);
    assertThat(shard().drop()).isZero();
  }

  @Test
  default void aRepeatedIngestIsRefusedAndHarmless() {
    shard().ingest(ABSENT, 10);
    shard().ingest(10, 20, schedule(named(12, 50, "a")));

    assertThat(shard().ingest(10, 20, schedule(named(12, 50, "a"))))
        .isEqualTo(new Ingested(false, 20, 1));
    assertThat(shard().pending()).containsExactly(named(12, 50, "a"));
  }

  @Test
  default void shardsDoNotKnowEachOther() {
    ShardClient other = shard().ofPartition(1_000_000 + shard().shard().id().partition());
    shard().append(schedule(named(1, 10, "a")));

    other.append(cancel("a"), schedule(named(2, 20, "b")));

    assertThat(shard().pending()).containsExactly(named(1, 10, "a"));
    assertThat(other.pending()).containsExactly(named(2, 20, "b"));
  }

  @Test
  default void callsThatAreNotAwaitedTakeEffectInTheirOrder() {
    ShardStore store = shard().store();
    ShardStore.Shard key = shard().shard();
    // Runs each operation once before, since a store may still have to learn them.
    shard().append();
    shard().settle(1, message(1, 10));
    shard().take(0);

    var first = store.ingest(key, 100, 200, List.of(schedule(message(101, 10))));
    var second = store.ingest(key, 200, 300, List.of(schedule(message(201, 20))));
    var settled = store.settle(key, 2, List.of(new ShardStore.Settled(message(101, 10), false)));
    var taken = store.take(key, 100, 10, 1000);

    assertThat(ShardClient.await(first)).isEqualTo(new Ingested(true, 200, 1));
    assertThat(ShardClient.await(second)).isEqualTo(new Ingested(true, 300, 2));
    assertThat(ShardClient.await(settled)).isEqualTo(1);
    assertThat(ShardClient.await(taken).messages()).containsExactly(message(201, 20));
  }
}
