package io.delaybridge.store;

import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.store.ShardStore.Page;
import io.delaybridge.store.ShardStore.Settled;
import java.util.List;
import java.util.function.Function;

/** Stores whose scripts differ in one respect. */
public final class BrokenShards {

  private static final Due NOWHERE = new Due(-2, -1);

  private BrokenShards() {}

  abstract static class Broken extends MemoryShard {

    private final Function<String, MemoryShard> same;

    Broken(String topicId, Function<String, MemoryShard> same) {
      super(topicId);
      this.same = same;
    }

    @Override
    final MemoryShard empty() {
      return same.apply(topicId);
    }
  }

  /** A retry copy replaces the message that has its id by then. */
  public static MemoryShardStore retryCopiesAreOrdinary() {
    return new MemoryShardStore(OrdinaryCopies::new);
  }

  private static final class OrdinaryCopies extends Broken {
    OrdinaryCopies(String topicId) {
      super(topicId, OrdinaryCopies::new);
    }

    @Override
    void schedule(DelayedMessage message, boolean covered) {
      String id = message.id();
      if (message.isRetry() && id != null) {
        Named old = ids.get(id);
        ids.put(id, new Named(message.origin(), old == null ? NOWHERE : old.current()));
      }
      super.schedule(message, covered);
    }
  }

  /** The successor of a repeating message replaces the message that has its id by then. */
  public static MemoryShardStore successorsAreOrdinary() {
    return new MemoryShardStore(OrdinarySuccessors::new);
  }

  private static final class OrdinarySuccessors extends Broken {
    OrdinarySuccessors(String topicId) {
      super(topicId, OrdinarySuccessors::new);
    }

    @Override
    void schedule(DelayedMessage message, boolean covered) {
      String id = message.id();
      if (message.isRetry() && message.repeats() && id != null) {
        Named old = ids.get(id);
        ids.put(id, new Named(message.origin(), old == null ? NOWHERE : old.current()));
      }
      super.schedule(message, covered);
    }
  }

  /** A retry copy is dropped only if a newer message of its id is pending. */
  public static MemoryShardStore retryCopiesYieldOnlyToNewerMessages() {
    return new MemoryShardStore(YieldingCopies::new);
  }

  private static final class YieldingCopies extends Broken {
    YieldingCopies(String topicId) {
      super(topicId, YieldingCopies::new);
    }

    @Override
    void schedule(DelayedMessage message, boolean covered) {
      String id = message.id();
      if (message.isRetry() && id != null && !ids.containsKey(id)) {
        ids.put(id, new Named(message.origin(), NOWHERE));
      }
      super.schedule(message, covered);
    }
  }

  /** Settling a message removes its id, whatever the id names by now. */
  public static MemoryShardStore settlingRemovesTheIdInAnyCase() {
    return new MemoryShardStore(UnconditionalIds::new);
  }

  private static final class UnconditionalIds extends Broken {
    UnconditionalIds(String topicId) {
      super(topicId, UnconditionalIds::new);
    }

    @Override
    void settleId(Settled settled) {
      super.settleId(settled);
      String id = settled.message().id();
      if (id != null && !settled.keepId()) {
        ids.remove(id);
      }
    }
  }

  /** A message with a known id leaves the older one where it is. */
  public static MemoryShardStore replacingForgetsTheOlderMessage() {
    return new MemoryShardStore(BothPending::new);
  }

  private static final class BothPending extends Broken {
    BothPending(String topicId) {
      super(topicId, BothPending::new);
    }

    @Override
    void schedule(DelayedMessage message, boolean covered) {
      String id = message.id();
      if (id != null && !message.isRetry()) {
        ids.remove(id);
      }
      super.schedule(message, covered);
    }
  }

  /** A pair of the frontier is taken to cover all entries that the shard was ever fed. */
  public static MemoryShardStore settlingBelowAKeyInAnyCase() {
    return new MemoryShardStore(UnconditionalPairs::new);
  }

  private static final class UnconditionalPairs extends Broken {
    UnconditionalPairs(String topicId) {
      super(topicId, UnconditionalPairs::new);
    }

    @Override
    void settleBelow(long fedTo, Due key, List<Settled> messages) {
      super.settleBelow(Long.MAX_VALUE, key, messages);
    }
  }

  /** An ask takes the message at that offset, whatever its due time. */
  public static MemoryShardStore asksIgnoreTheDueTime() {
    return new MemoryShardStore(AnyDueTime::new);
  }

  private static final class AnyDueTime extends Broken {
    AnyDueTime(String topicId) {
      super(topicId, AnyDueTime::new);
    }

    @Override
    void ask(Ask ask, boolean covered) {
      long offset = ask.stored().offset();
      for (Due key : pending.keySet()) {
        if (ask.stored().verb().namesMessage() && key.offset() == offset && key.time() >= 0) {
          io.delaybridge.schemas.StoredAsk stored = ask.stored();
          super.ask(
              new Ask(
                  ask.key(),
                  ask.id(),
                  new io.delaybridge.schemas.StoredAsk(
                      stored.verb(), offset, key.time(), stored.moveTo())),
              covered);
          return;
        }
      }
      super.ask(ask, covered);
    }
  }

  /** An ask takes its message away, but the id still names the message. */
  public static MemoryShardStore asksDoNotTakeOverTheId() {
    return new MemoryShardStore(AsksWithoutId::new);
  }

  private static final class AsksWithoutId extends Broken {
    AsksWithoutId(String topicId) {
      super(topicId, AsksWithoutId::new);
    }

    @Override
    void ask(Ask ask, boolean covered) {
      super.ask(new Ask(ask.key(), null, ask.stored()), covered);
    }
  }

  // Far messages, see ADR 32.

  /** The index learns only of copies in the later topic whose id is not "x". */
  public static MemoryShardStore recallingForgetsAnId() {
    return new MemoryShardStore(ForgetfulRecall::new);
  }

  private static final class ForgetfulRecall extends Broken {
    ForgetfulRecall(String topicId) {
      super(topicId, ForgetfulRecall::new);
    }

    @Override
    void recall(ShardStore.Named copy) {
      if (!copy.id().equals("x")) {
        super.recall(copy);
      }
    }
  }

  /** A recall goes on although the store has lost its last page. */
  public static MemoryShardStore recallingDoesNotLookBack() {
    return new MemoryShardStore(CarelessRecall::new);
  }

  private static final class CarelessRecall extends Broken {
    CarelessRecall(String topicId) {
      super(topicId, CarelessRecall::new);
    }

    @Override
    boolean follows(Page page) {
      return true;
    }
  }

  /** A cancel leaves no mark even while absence proves nothing. */
  public static MemoryShardStore cancelsLeaveNoMark() {
    return new MemoryShardStore(UnmarkedCancels::new);
  }

  private static final class UnmarkedCancels extends Broken {
    UnmarkedCancels(String topicId) {
      super(topicId, UnmarkedCancels::new);
    }

    @Override
    void cancel(String id, long offset) {
      super.cancel(id, offset);
      Named mark = ids.get(id);
      if (mark != null && mark.current().equals(Due.asked(offset))) {
        ids.remove(id);
      }
    }
  }

  /** A copy whose id is not known is dropped, although not all was fed. */
  public static MemoryShardStore absenceIsDeath() {
    return new MemoryShardStore(HastyDeath::new);
  }

  private static final class HastyDeath extends Broken {
    HastyDeath(String topicId) {
      super(topicId, HastyDeath::new);
    }

    @Override
    void schedule(DelayedMessage message, boolean covered) {
      String id = message.id();
      if (!message.isRetry() || id == null || ids.containsKey(id)) {
        super.schedule(message, covered);
      }
    }
  }

  /** A delivery leaves no mark even while absence proves nothing. */
  public static MemoryShardStore deliveriesLeaveNoMark() {
    return new MemoryShardStore(UnmarkedDeliveries::new);
  }

  private static final class UnmarkedDeliveries extends Broken {
    UnmarkedDeliveries(String topicId) {
      super(topicId, UnmarkedDeliveries::new);
    }

    @Override
    void settleId(Settled settled) {
      super.settleId(settled);
      DelayedMessage message = settled.message();
      Named named = message.id() == null ? null : ids.get(message.id());
      if (named != null && named.current().equals(message.key()) && !settled.keepId()) {
        ids.remove(message.id());
      }
    }
  }

  /** A sweep removes the ids of far messages, because these are not pending. */
  public static MemoryShardStore sweepingTakesWhatIsFar() {
    return new MemoryShardStore(SweepsFar::new);
  }

  private static final class SweepsFar extends Broken {
    SweepsFar(String topicId) {
      super(topicId, SweepsFar::new);
    }

    @Override
    boolean sweep(String id) {
      Named named = ids.get(id);
      if (index == ShardStore.Index.COMPLETE && named != null && named.isFar()) {
        return ids.remove(id, named);
      }
      return super.sweep(id);
    }
  }

  /** A hop to the later topic removes the id, like a delivery. */
  public static MemoryShardStore hopsForgetTheirId() {
    return new MemoryShardStore(ForgetfulHops::new);
  }

  private static final class ForgetfulHops extends Broken {
    ForgetfulHops(String topicId) {
      super(topicId, ForgetfulHops::new);
    }

    @Override
    void settleId(Settled settled) {
      super.settleId(settled);
      DelayedMessage message = settled.message();
      Named named = message.id() == null ? null : ids.get(message.id());
      if (named != null && named.isFar() && message.isFar()) {
        ids.remove(message.id());
      }
    }
  }

  /**
   * The id of a message that has hopped and is fed again names its record, which is not pending.
   */
  public static MemoryShardStore whatIsFedAgainIsNear() {
    return new MemoryShardStore(NearAgain::new);
  }

  private static final class NearAgain extends Broken {
    NearAgain(String topicId) {
      super(topicId, NearAgain::new);
    }

    @Override
    void schedule(DelayedMessage message, boolean covered) {
      super.schedule(message, covered);
      Named named = message.id() == null ? null : ids.get(message.id());
      if (covered && message.isFar() && named != null && named.origin() == message.origin()) {
        ids.put(message.id(), new Named(message.origin(), message.key()));
      }
    }
  }

  /** A copy acts while the index is not complete, whatever was said since. */
  public static MemoryShardStore copiesActInAnyCase() {
    return new MemoryShardStore(UndyingCopies::new);
  }

  private static final class UndyingCopies extends Broken {
    UndyingCopies(String topicId) {
      super(topicId, UndyingCopies::new);
    }

    @Override
    void schedule(DelayedMessage message, boolean covered) {
      Named old = message.id() == null ? null : ids.get(message.id());
      if (index == ShardStore.Index.RECALLED
          && message.isRetry()
          && old != null
          && old.origin() > message.origin()) {
        ids.remove(message.id());
        pending.remove(old.current());
      }
      super.schedule(message, covered);
    }
  }

  /** A copy counts as alive whatever its id stands for. */
  public static MemoryShardStore copiesNeverDie() {
    return new MemoryShardStore(EternalCopies::new);
  }

  private static final class EternalCopies extends Broken {
    EternalCopies(String topicId) {
      super(topicId, EternalCopies::new);
    }

    @Override
    boolean isAlive(ShardStore.Named copy) {
      return true;
    }
  }
}
