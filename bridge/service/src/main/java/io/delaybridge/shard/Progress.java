package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.shard.Frontier.Pair;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * The progress of a shard that is committed in Kafka, and the content of its next checkpoint. The
 * frontier may be ahead of the committed one where messages go out without a transaction; it is
 * never behind it.
 */
final class Progress {

  private String topicId = "";
  private Frontier frontier = Frontier.NONE;
  private Admission admission = Admission.of(Reading.early(0, 0));
  private int born;
  private Laps laps = Laps.NONE;
  private boolean paused;

  // The last committed checkpoint and its offset, -1 if there is none.
  private Frontier committed = Frontier.NONE;
  private long number;
  private long offset = -1;
  private boolean committedPaused;

  /** Whether it was resumed since. This outlives a close, because no ask in the log says so. */
  private boolean resumed;

  private boolean trustsStore;
  private boolean passedOver;

  /** Whether one was committed since the shard was opened. */
  private boolean confirmed;

  /** The highest leader epoch of the records that were read, -1 if none is known. */
  private int epoch = -1;

  /**
   * Up to this offset that epoch holds: records that another loop fed to the store may be newer.
   */
  private long readTo = -1;

  /**
   * Takes over a checkpoint.
   *
   * @param last the committed one, or what a shard without one begins with
   * @param committedOffset intake offset of the committed one, -1 if there is none
   * @param store whether the store is believed until a checkpoint is committed, because there is
   *     none but the store has the shard
   */
  void open(Checkpoint last, long committedOffset, boolean store) {
    topicId = last.topicId();
    frontier = last.frontier();
    admission = last.admission();
    born = last.born();
    laps = last.laps();
    committed = frontier;
    number = last.seq();
    offset = committedOffset;
    committedPaused = last.paused();
    paused = committedPaused && !resumed;
    trustsStore = store;
    passedOver = false;
    confirmed = false;
  }

  /** Everything in the intake before this offset is settled: the shard begins there. */
  void beginAt(long end) {
    frontier = new Frontier(List.of(new Pair(end, Due.NEVER)));
  }

  /**
   * Reads by this rule from its offset on.
   *
   * @param logStart rules that apply only to offsets below it are dropped
   * @return whether anything from there on is read in another way than so far
   */
  boolean admit(Admission.Rule rule, long logStart) {
    boolean changes = !admission.says(rule);
    admission = admission.with(rule, logStart);
    return changes;
  }

  Frontier frontier() {
    return frontier;
  }

  Admission admission() {
    return admission;
  }

  /** The frontier of the last committed checkpoint. */
  Frontier committed() {
    return committed;
  }

  /** The number of the last committed checkpoint. */
  long number() {
    return number;
  }

  /** The offset of the last committed checkpoint, -1 if there is none. */
  long offset() {
    return offset;
  }

  /** Whether an operator has stopped delivery; asks are still answered. */
  boolean isPaused() {
    return paused;
  }

  /** Whether a checkpoint with this state would stop or resume delivery. */
  boolean changesPause(boolean pausing) {
    return pausing != committedPaused;
  }

  /** Whether a checkpoint would say more than the committed one does. */
  boolean isAhead() {
    return !frontier.equals(committed) || changesPause(paused);
  }

  /**
   * Whether the store is believed, because there was no checkpoint but the store had the shard. It
   * is, until a checkpoint is committed.
   */
  boolean trustsStore() {
    return trustsStore;
  }

  /**
   * The offset up to which the store must have been fed before anything may be taken. It includes
   * everything that the frontier settles, and everything that was read by the last checkpoint,
   * because the last of it may be a cancel.
   */
  long decidedTo() {
    return Math.max(frontier.highest(), offset);
  }

  /** Resumes delivery, whatever the last checkpoint says. */
  void resume() {
    resumed = true;
    paused = false;
  }

  /** Everything that the frontier covers is out. */
  void out(Frontier settled, boolean pausing) {
    assert settled.highest() >= frontier.highest() : "a frontier never goes back";
    frontier = settled;
    paused = pausing;
  }

  /**
   * The state of the later topic, with the copies that have gone there since the last checkpoint.
   */
  Laps laps() {
    return laps;
  }

  /**
   * Copies that are counted are gone. The next checkpoint says so even if nothing else has changed:
   * whoever opens the shard then must not ask for them again.
   */
  void passOver(Laps rest) {
    laps = rest;
    passedOver = true;
  }

  /** Whether {@linkplain #passOver a change} waits for a checkpoint. */
  boolean hasPassedOver() {
    return passedOver;
  }

  /**
   * Whether Kafka has taken a checkpoint since the shard was opened. It takes none from a loop that
   * has lost the partition, so no successor had opened the shard before this loop did.
   */
  boolean isConfirmed() {
    return confirmed;
  }

  /** The state of the later topic is this now. */
  void laps(Laps now) {
    laps = now;
  }

  /**
   * Notes how far the intake was read. The epoch lets Kafka tell whether a log still has the
   * records before an offset. An epoch higher than that of the last record serves as well, if it
   * was read from the same log.
   */
  void read(OffsetAndMetadata position) {
    position
        .leaderEpoch()
        .ifPresent(
            it -> {
              epoch = Math.max(epoch, it);
              readTo = Math.max(readTo, position.offset());
            });
  }

  /** The checkpoint as it would be without anything more. */
  Checkpoint checkpoint() {
    return new Checkpoint(topicId, number, frontier, admission, born, laps, paused);
  }

  /**
   * Returns the next commit. The committed offset is never lowered, so that ordinary lag tools
   * work.
   *
   * @param takenNext intake offset up to which the store was fed
   */
  OffsetAndMetadata next(long takenNext, Frontier settled, boolean pausing, Laps later) {
    Checkpoint next = new Checkpoint(topicId, number + 1, settled, admission, born, later, pausing);
    long at = Math.max(takenNext, offset);
    Optional<Integer> leaderEpoch = at <= readTo ? Optional.of(epoch) : Optional.empty();
    return new OffsetAndMetadata(at, leaderEpoch, next.encode());
  }

  /** Returns a commit without a delivery. It covers everything that is out. */
  OffsetAndMetadata last() {
    return next(frontier.highest(), frontier, paused, laps);
  }

  /** The commit without a delivery has succeeded. */
  void lastCommitted() {
    committed(frontier.highest(), frontier, paused);
  }

  /** The next commit has succeeded. */
  void committed(long takenNext, Frontier settled, boolean pausing) {
    assert settled.highest() >= committed.highest() : "a committed frontier never goes back";
    frontier = settled;
    committed = settled;
    committedPaused = pausing;
    resumed = false;
    trustsStore = false;
    number++;
    offset = Math.max(takenNext, offset);
    passedOver = false;
    confirmed = true;
  }
}
