package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.schedule;
import static io.delaybridge.store.Samples.sized;
import static io.delaybridge.store.ShardStore.ABSENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.store.ShardStore.Ingested;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The size of a batch makes no difference, however a store may split it. */
interface BatchPromises extends StoreFixture {

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 128, 499, 500, 501, 1000, 1001, 1700})
  default void aBatchOfAnySizeIsStoredWhole(int size) {
    Entry[] entries =
        LongStream.range(0, size)
            .mapToObj(offset -> schedule(message(offset, 10)))
            .toArray(Entry[]::new);

    assertThat(shard().ingest(ABSENT, size, entries)).isEqualTo(new Ingested(true, size, size));

    assertThat(shard().pendingOffsets()).isEqualTo(LongStream.range(0, size).boxed().toList());
  }

  @Test
  default void aBatchOfManyMegabytesIsStoredWhole() {
    List<DelayedMessage> messages =
        LongStream.range(0, 40).mapToObj(offset -> sized(offset, 10, 100_000)).toList();

    shard().ingest(ABSENT, 40, messages.stream().map(Samples::schedule).toArray(Entry[]::new));

    assertThat(shard().pending()).isEqualTo(messages);
  }

  @Test
  default void aBatchHasItsEffectsInOrderHoweverLarge() {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      entries.add(schedule(named(i, 10, "id-" + i)));
    }
    for (int i = 0; i < 600; i++) {
      if (i % 3 != 0) {
        entries.add(cancel("id-" + i));
      }
    }
    for (int i = 0; i < 600; i += 2) {
      entries.add(schedule(named(1000 + i, 5, "id-" + i)));
    }

    shard().ingest(ABSENT, 2000, entries.toArray(Entry[]::new));

    List<Long> expected = new ArrayList<>();
    LongStream.range(0, 600).filter(i -> i % 2 == 0).forEach(i -> expected.add(1000 + i));
    LongStream.range(0, 600).filter(i -> i % 3 == 0 && i % 2 == 1).forEach(expected::add);
    assertThat(shard().pendingOffsets()).isEqualTo(expected);
    assertThat(shard().ids()).hasSize(expected.size());
  }

  @Test
  default void aBatchOfCancellationsOnlyMayBeLargeToo() {
    Entry[] schedules =
        LongStream.range(0, 1200)
            .mapToObj(i -> schedule(named(i, 10, "id-" + i)))
            .toArray(Entry[]::new);
    Entry[] cancels =
        LongStream.range(0, 1200).mapToObj(i -> cancel("id-" + i)).toArray(Entry[]::new);
    shard().ingest(ABSENT, 1200, schedules);

    assertThat(shard().ingest(1200, 2400, cancels)).isEqualTo(new Ingested(true, 2400, 0));
    assertThat(shard().ids()).isEmpty();
  }

  @Test
  default void aLargeBatchFromAnotherPositionChangesNothing() {
    shard().ingest(ABSENT, 10, schedule(message(3, 50)));
    Entry[] entries =
        LongStream.range(20, 1220)
            .mapToObj(offset -> schedule(message(offset, 10)))
            .toArray(Entry[]::new);

    assertThat(shard().ingest(20, 1220, entries)).isEqualTo(new Ingested(false, 10, 1));
    assertThat(shard().ingest(9, 1220, entries)).isEqualTo(new Ingested(false, 10, 1));
    assertThat(shard().pendingOffsets()).containsExactly(3L);
  }

  @Test
  default void aRepeatedLargeBatchIsRefusedAndHarmless() {
    Entry[] entries =
        LongStream.range(0, 1200)
            .mapToObj(offset -> schedule(named(offset, 10, "id-" + offset % 700)))
            .toArray(Entry[]::new);
    shard().ingest(ABSENT, 1200, entries);

    assertThat(shard().ingest(ABSENT, 1200, entries)).isEqualTo(new Ingested(false, 1200, 700));
    assertThat(shard().pendingOffsets()).isEqualTo(LongStream.range(500, 1200).boxed().toList());
  }
}
