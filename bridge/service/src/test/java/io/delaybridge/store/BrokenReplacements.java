package io.delaybridge.store;

import io.delaybridge.store.BrokenShards.Broken;

/** Stores that handle the replacement of far messages differently in one respect. See ADR 32. */
public final class BrokenReplacements {

  private BrokenReplacements() {}

  /** Replacements also act on messages that are near or gone. */
  public static MemoryShardStore replacementsActInAnyCase() {
    return new MemoryShardStore(AnyReplacement::new);
  }

  private static final class AnyReplacement extends Broken {
    AnyReplacement(String topicId) {
      super(topicId, AnyReplacement::new);
    }

    @Override
    boolean acts(Entry.Schedule schedule) {
      return true;
    }
  }

  /** Replacements need the message they replace even while absence proves nothing. */
  public static MemoryShardStore replacementsNeedWhatTheyReplace() {
    return new MemoryShardStore(StrictReplacement::new);
  }

  private static final class StrictReplacement extends Broken {
    StrictReplacement(String topicId) {
      super(topicId, StrictReplacement::new);
    }

    @Override
    boolean acts(Entry.Schedule schedule) {
      String id = schedule.message().id();
      Entry.Instead instead = schedule.instead();
      Named old = id == null ? null : ids.get(id);
      return instead == null
          || (old != null && old.isFar() && old.origin() == instead.named())
          || (old != null && old.origin() == schedule.message().offset());
    }
  }
}
