package io.delaybridge.shard;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Judged;
import io.delaybridge.store.ShardStore.Taken;
import io.delaybridge.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The third step of a turn: reads the due messages of every shard that has some, and now and then
 * asks all shards.
 */
final class TakeStep {

  private static final Logger LOG = LoggerFactory.getLogger(TakeStep.class);

  private final ShardStore store;
  private final Assignment assignment;
  private final LoopSettings settings;
  private final Allowance allowance;
  private final Clocks clocks;

  private long lookedAtAll;

  TakeStep(
      ShardStore store,
      Assignment assignment,
      LoopSettings settings,
      Allowance allowance,
      Clocks clocks) {
    this.store = store;
    this.assignment = assignment;
    this.settings = settings;
    this.allowance = allowance;
    this.clocks = clocks;
    this.lookedAtAll = clocks.nanoTime();
  }

  /**
   * The messages taken from one shard.
   *
   * @param all whether all shards were asked, so that their checkpoints follow
   * @param now epoch milliseconds that the take went by
   * @param covered messages that the frontier covers already, because an earlier settle was lost,
   *     and those that {@linkplain #over are over}
   * @param uncovered the other messages; both lists are in key order
   */
  record Take(
      Shard shard,
      Taken taken,
      boolean all,
      long now,
      List<DelayedMessage> covered,
      List<DelayedMessage> uncovered) {

    static Take of(Shard shard, Taken taken, Set<Long> over, boolean all, long now) {
      List<DelayedMessage> covered = new ArrayList<>();
      List<DelayedMessage> uncovered = new ArrayList<>(taken.messages().size());
      for (DelayedMessage message : taken.messages()) {
        boolean settled =
            shard.progress.frontier().covers(message) || over.contains(message.offset());
        (settled ? covered : uncovered).add(message);
      }
      return new Take(shard, taken, all, now, covered, uncovered);
    }

    /** About how many bytes would go out of it. */
    long bytes() {
      return uncovered.stream().mapToLong(DelayedMessage::bytes).sum();
    }
  }

  /**
   * The pending replies for a shard. Where only asks are taken, a second one tells how much else is
   * due.
   */
  private record Asked(
      Shard shard, long horizon, CompletableFuture<Taken> reply, CompletableFuture<Taken> due) {}

  List<Take> run() {
    long now = clocks.now();
    // In this order: a clock that has jumped before it was read is seen to be ahead.
    boolean ahead = clocks.isAhead();
    long nanoTime = clocks.nanoTime();
    // All in one turn: asked one by one, each shard would wake an idle loop and Redis.
    boolean all = nanoTime - lookedAtAll >= settings.checkpointEvery().toNanos();
    if (all) {
      lookedAtAll = nanoTime;
    } else if (assignment.open().stream().noneMatch(shard -> mustGo(shard, ahead, now, nanoTime))) {
      return List.of();
    }
    int bytes = (int) Math.min(settings.maxTakeBytes(), allowance.bytes());
    List<Asked> asked = new ArrayList<>();
    for (Shard shard : assignment.open()) {
      boolean asksOnly = ahead || shard.takesAsksOnly(nanoTime);
      long horizon = asksOnly ? Due.ASKED : now;
      boolean wanted = all || isWanted(shard, now);
      if (isToBeTaken(shard, wanted, horizon, nanoTime)) {
        // Nothing of a shard that is fed again may go out yet; only how far it is matters.
        int most = settings.maxTakeCount().applyAsInt(shard.id.topic());
        int count = shard.isBehindCheckpoint() ? 0 : most;
        var reply = store.take(shard.key, horizon, count, bytes);
        var due = asksOnly ? store.take(shard.key, now, 0, 0) : reply;
        asked.add(new Asked(shard, horizon, reply, due));
      }
    }
    List<Take> takes = new ArrayList<>(asked.size());
    for (Asked one : asked) {
      try {
        Taken taken = accept(one.shard, Replies.await(one.reply), one.horizon, now);
        if (taken != null) {
          // Where only asks are taken, the second count is higher; otherwise the first may include
          // messages that are not stored yet.
          one.shard.backlog.overdue(Math.max(taken.overdue(), Replies.await(one.due).overdue()));
          takes.add(Take.of(one.shard, taken, over(one.shard, taken), all, now));
        }
      } catch (StoreException e) {
        assignment.failed(one.shard, e);
      }
    }
    return takes;
  }

  /**
   * Whether something of the shard has waited for the tolerance of its intake, or does not wait.
   * Then the due messages of all shards go with it.
   */
  private boolean mustGo(Shard shard, boolean ahead, long now, long nanoTime) {
    long tolerance = settings.tolerance().applyAsLong(shard.id.topic());
    boolean asksOnly = ahead || shard.takesAsksOnly(nanoTime);
    long horizon = asksOnly ? Due.ASKED : now - tolerance;
    return isToBeTaken(shard, isWanted(shard, now), horizon, nanoTime);
  }

  /** Whether to ask although nothing is known to be due. */
  private static boolean isWanted(Shard shard, long now) {
    boolean looks = shard.backlog.isToBeAsked() && !shard.awaitsRecall(now);
    return looks || shard.backlog.waiting() != null;
  }

  private static boolean isToBeTaken(Shard shard, boolean wanted, long horizon, long nanoTime) {
    boolean due = shard.backlog.first().time() <= horizon && !shard.isStuck(nanoTime);
    return due || (wanted && !shard.phase.isHeld(nanoTime));
  }

  /**
   * Returns the offsets of far messages that were refused on their way to the later topic, and have
   * been taken back since. In the store, only the index of ids tells that. Such a message is not
   * given up as a dead letter.
   */
  private Set<Long> over(Shard shard, Taken taken) {
    List<DelayedMessage> refused =
        taken.messages().stream()
            .filter(message -> message.isFar() && message.id() != null)
            .filter(message -> shard.evidence.refusal(message.offset()) != null)
            .toList();
    if (refused.isEmpty()) {
      return Set.of();
    }
    Judged judged = Replies.await(store.judge(shard.key, RecallStep.named(refused)));
    if (!judged.complete() || judged.next() != shard.backlog.next()) {
      return Set.of();
    }
    return IntStream.range(0, refused.size())
        .filter(i -> !judged.alive().get(i))
        .mapToObj(i -> refused.get(i).offset())
        .collect(Collectors.toSet());
  }

  /**
   * The gate, on every take: messages from a store that fell back must not go out.
   *
   * @return the messages that may go out, including due ones that were just polled; null if none
   *     may
   */
  private @Nullable Taken accept(Shard shard, Taken stored, long horizon, long now) {
    if (stored.next() != shard.backlog.next()) {
      assignment.follow(shard, stored.next());
      if (!shard.isOpen()) {
        return null;
      }
    }
    if (shard.isBehindCheckpoint()) {
      shard.backlog.notYet(stored.count());
      LOG.debug(
          "Shard {} is fed up to {} of {}",
          shard.id,
          shard.backlog.next(),
          shard.progress.decidedTo());
      return null;
    }
    // Not earlier: a shard that can be read cannot always be fed.
    shard.phase.worked();
    Batch waiting = shard.backlog.waiting();
    Taken taken = waiting == null ? stored : waiting.with(stored, horizon);
    shard.backlog.taken(taken, now);
    if (taken.messages().isEmpty()) {
      // Whatever was refused is gone: cancelled or replaced since.
      shard.evidence.clear();
    }
    return taken;
  }
}
