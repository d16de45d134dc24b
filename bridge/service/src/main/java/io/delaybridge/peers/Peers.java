package io.delaybridge.peers;

import io.delaybridge.store.PeerBoard;
import io.delaybridge.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Ensures that the group need not wait for a process that has died. Each process leaves a sign of
 * life in the store a few times a second, and looks at those of the others. A process whose sign
 * has not changed for some looks is fenced, because its open transactions would hold up all readers
 * of committed records. A process that stays quiet is taken out of the group, which divides its
 * partitions among the others.
 *
 * <p>What counts is how often this process has looked, not a clock: a process that was frozen, or
 * could not reach the store, has not looked. A process that Kafka does not answer leaves no sign,
 * and judges nobody.
 *
 * <p>A wrong judgment costs time and nothing else. A process that is given up although it lives
 * finds its transaction aborted and its generation over, as after any rebalance, and joins again.
 * See ADR 31.
 *
 * <p>Safe for use by many threads.
 */
public final class Peers {

  /** Time between two looks, in milliseconds. */
  public static final long EVERY = 400;

  /**
   * Looks after which a quiet process is fenced. It may only have been slow, and then loses a turn
   * or two.
   */
  static final int FENCED_AFTER = 2;

  /** Looks after which a quiet process is taken out of the group. */
  static final int GIVEN_UP_AFTER = 4;

  /**
   * Signs after which a process is no longer new. A new one is not fenced before it is given up: it
   * is slow while its code is compiled, and loses turns at the worst time if it is fenced for that.
   */
  static final int NEW_UNTIL = 15;

  /** Looks after which fencing it and taking it out is tried again. */
  private static final int AGAIN = 3;

  /**
   * Looks after which a quiet process is done with, although it could not be fenced. By then Kafka
   * has ended what it had open: its transactions may last 15 s, and a broker looks every 10 s. A
   * target that is down can make a fence fail for longer.
   */
  static final int ENDED_AFTER = 64;

  /**
   * Looks for which nobody is judged after this process has seen nobody. What was unreachable for
   * this process may have been unreachable for all, and they do not notice its return at the same
   * time.
   */
  static final int GRACE = 8;

  private static final Logger LOG = LoggerFactory.getLogger(Peers.class);

  private final String id;
  private final Self self;
  private final PeerBoard board;
  private final Group group;
  private final Runnable gaveUp;
  private final Supplier<@Nullable Long> clockAhead;
  private final Map<String, Peer> known = new HashMap<>();
  private long beat;
  private int grace;
  private boolean blind;
  private boolean left;

  /** Another process, as it was last seen. */
  private static final class Peer {
    final String sign;

    /** Set by a thread of Kafka's client. */
    final AtomicBoolean isOut = new AtomicBoolean();

    int quietLooks;

    Peer(String sign) {
      this.sign = sign;
    }
  }

  /**
   * @param id the id of this process, unlike that of any other
   * @param gaveUp is told each time that another process is taken out of the group
   * @param clockAhead tells by how many milliseconds the clock of this process is ahead of that of
   *     the store; null if that is not known
   */
  public Peers(
      String id,
      Self self,
      PeerBoard board,
      Group group,
      Runnable gaveUp,
      Supplier<@Nullable Long> clockAhead) {
    this.id = id;
    this.self = self;
    this.board = board;
    this.group = group;
    this.gaveUp = gaveUp;
    this.clockAhead = clockAhead;
  }

  /** Must be called every {@link #EVERY} milliseconds. */
  public synchronized void look() {
    if (left) {
      return;
    }
    if (!self.isWell()) {
      sawNobody();
      return;
    }
    Map<String, String> signs;
    try {
      Sign own = new Sign(++beat, self.members(), self.transactionalIds(), clockAhead.get());
      signs = board.sign(id, own.encode());
    } catch (StoreException e) {
      LOG.atLevel(blind ? Level.DEBUG : Level.WARN)
          .log("The other bridges cannot be seen, nor can they see this one: {}", e.getMessage());
      blind = true;
      judgeNobody();
      return;
    }
    if (blind) {
      LOG.info("The other bridges can be seen again");
      blind = false;
    }
    signs.remove(id);
    if (grace > 0) {
      grace--;
      known.clear();
    }
    known.keySet().retainAll(signs.keySet());
    signs.forEach(this::seen);
  }

  /**
   * Returns by how many milliseconds the clocks of the others are ahead of that of the store, as
   * far as they say.
   */
  public synchronized List<Long> clocksAhead() {
    return known.values().stream()
        .flatMap(peer -> Sign.parse(peer.sign).stream())
        .map(Sign::clockAhead)
        .filter(Objects::nonNull)
        .toList();
  }

  private void sawNobody() {
    if (!known.isEmpty()) {
      judgeNobody();
    }
  }

  private void judgeNobody() {
    known.clear();
    grace = GRACE;
  }

  private void seen(String process, String sign) {
    Peer peer = known.get(process);
    if (peer == null || !peer.sign.equals(sign)) {
      known.put(process, new Peer(sign));
      return;
    }
    peer.quietLooks++;
    if (peer.isOut.get()) {
      board.remove(process);
      known.remove(process);
    } else if (peer.quietLooks == FENCED_AFTER) {
      Sign.parse(sign)
          .filter(last -> last.beat() >= NEW_UNTIL)
          .ifPresent(
              last -> {
                var unused = fence(process, last);
              });
    } else if (peer.quietLooks >= GIVEN_UP_AFTER
        && (peer.quietLooks - GIVEN_UP_AFTER) % AGAIN == 0) {
      Sign.parse(sign).ifPresent(last -> giveUp(process, peer, last));
    }
  }

  private CompletableFuture<?> fence(String process, Sign last) {
    return group
        .fence(last.transactionalIds())
        .whenComplete((done, failure) -> tell(process, "fenced", failure))
        .toCompletableFuture();
  }

  /**
   * Takes a process out of the group, and fences it. If it was fenced before, what it opened after
   * that is aborted as well: it may have died since. Its sign stays until both are done, because
   * nothing else has its transactional ids.
   */
  private void giveUp(String process, Peer peer, Sign last) {
    if (peer.quietLooks == GIVEN_UP_AFTER) {
      LOG.warn(
          "Bridge {} has given no sign of life for {} ms: the other bridges get its partitions",
          process,
          peer.quietLooks * EVERY);
      gaveUp.run();
    }
    CompletableFuture<?> fenced = fence(process, last);
    CompletableFuture<?> removed =
        group
            .remove(last.members())
            .whenComplete((done, failure) -> tell(process, "removed from the group", failure))
            .toCompletableFuture();
    boolean ended = peer.quietLooks >= ENDED_AFTER;
    CompletableFuture<?> out = ended ? removed : CompletableFuture.allOf(fenced, removed);
    var unused = out.whenComplete((done, failure) -> peer.isOut.set(failure == null));
  }

  private static void tell(String process, String what, @Nullable Throwable failure) {
    if (failure == null) {
      LOG.info("Bridge {} was {}", process, what);
    } else {
      LOG.warn("Bridge {} could not be {}: {}", process, what, failure.toString());
    }
  }

  /** Removes the own sign, so that nobody gives up a process that has left in good order. */
  public synchronized void leave() {
    left = true;
    try {
      board.remove(id);
    } catch (StoreException e) {
      LOG.debug("The own sign of life could not be removed, another process will do it", e);
    }
  }
}
