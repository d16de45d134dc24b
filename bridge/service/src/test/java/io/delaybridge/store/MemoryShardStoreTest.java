package io.delaybridge.store;

import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.schedule;
import static io.delaybridge.store.ShardStore.ABSENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.store.MemoryShardStore.Snapshot;
import io.delaybridge.store.ShardStore.Opened;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryShardStoreTest extends ShardStoreContract {

  private final MemoryShardStore store = new MemoryShardStore();

  @Override
  ShardStore store() {
    return store;
  }

  @Override
  public void damage(ShardClient shard) {
    store.damage(shard.shard().id());
  }

  @Test
  void aRestoredShardIsWhatItWasAsOftenAsItIsRestored() {
    shard().append(schedule(named(1, 10, "a")));
    Snapshot snapshot = store.snapshot(shard().shard().id());

    for (int i = 0; i < 2; i++) {
      shard().append(schedule(message(101, 20)));
      shard().settle(5, named(1, 10, "a"));
      store.restore(snapshot);

      assertThat(shard().open()).isEqualTo(new Opened(100, 0, 1, 1));
      assertThat(shard().pending()).containsExactly(named(1, 10, "a"));
      assertThat(shard().ids()).containsExactly("a");
    }
  }

  @Test
  void onlyWhoOpenedTheShardLastRecallsAndCompletesItsIndex() {
    store.as("the first");
    shard().recall(ABSENT, 7, false, List.of());
    store.as("another");
    shard().open();
    store.as("the first");

    assertThat(shard().recall(7, 7, true, List.of())).isEqualTo(ABSENT);
    store.as("another");
    assertThat(shard().recall(7, 7, true, List.of())).isEqualTo(7);
    store.as("the first");
    assertThat(shard().complete(7)).isFalse();
    store.as("another");
    assertThat(shard().complete(7)).isTrue();
    store.as("the first");
    assertThat(shard().complete(7)).isTrue();
  }

  @Test
  void onlyWhoOpenedTheShardLastRaisesTheSequenceNumber() {
    store.as("the first");
    shard().append(schedule(message(1, 10)));
    store.as("another");
    shard().open();
    store.as("the first");

    assertThat(shard().settle(5, message(1, 10))).isZero();
    shard().place(6);
    store.as("another");
    assertThat(shard().open().seq()).isZero();
    shard().settle(7);
    assertThat(shard().open().seq()).isEqualTo(7);
  }

  @Test
  void aShardRestoredToBeforeItsCreationIsAbsent() {
    Snapshot snapshot = store.snapshot(shard().shard().id());
    shard().append(schedule(message(1, 10)));

    store.restore(snapshot);

    assertThat(shard().open()).isEqualTo(new Opened(ShardStore.ABSENT, 0, 0, 0));
  }

  @Test
  void nothingIsLeftAfterAWipe() {
    ShardClient other = shard().ofPartition(1_000_000);
    shard().append(schedule(message(1, 10)));
    other.append(schedule(message(1, 10)));

    store.wipe();

    assertThat(shard().open().next()).isEqualTo(ShardStore.ABSENT);
    assertThat(other.open().next()).isEqualTo(ShardStore.ABSENT);
  }
}
