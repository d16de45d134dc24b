package io.delaybridge.shard;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tracks how far the ids of a shard that no longer name anything are swept. An id must not go while
 * a record that brings it back to life may be unread: a record in the log as it was when the shard
 * was opened, or a retry copy that was written since.
 */
final class Sweep {

  private static final String BEGINNING = "0";

  /** A former owner that goes on writing must not have the shard opened again and again. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private boolean wanted;

  /** More may be left behind pages that were swept already: once more from the beginning. */
  private boolean again;

  private long logEnd;
  private long above;
  private String cursor = BEGINNING;
  private @Nullable Long refusedAt;

  /** Notes that ids may be left that name nothing. */
  void idsAreLeft() {
    wanted = true;
    again = true;
  }

  /**
   * Begins anew, because the shard is opened.
   *
   * @param end intake offset up to which the log may bring ids back to life
   */
  void open(long end) {
    logEnd = end;
    above = end;
    cursor = BEGINNING;
    again = false;
  }

  /** A copy was written at this intake offset: until it is read, its id names nothing. */
  void awaitCopy(long writtenAt) {
    above = Math.max(above, writtenAt + 1);
  }

  /**
   * Whether the store was fed with the log as it was when the shard was opened. The ids of copies
   * that were written since are known to it.
   */
  boolean hasReadLog(Shard shard) {
    return shard.backlog.next() >= logEnd && !shard.isBehindCheckpoint();
  }

  /** The intake offset up to which the store has been fed then. The store checks this itself. */
  long logReadTo(Shard shard) {
    return Math.max(logEnd, shard.progress.frontier().highest());
  }

  boolean isWanted() {
    return wanted;
  }

  /**
   * Whether every record was read that may bring an id back to life. A loop that has lost the
   * shard, and opened it in the store after its successor did, does not know of the copies that the
   * successor writes.
   */
  boolean mayBegin(Shard shard, long nanoTime) {
    return (refusedAt == null || nanoTime - refusedAt >= PAUSE.toNanos())
        && shard.backlog.next() >= above
        && !shard.isBehindCheckpoint()
        && shard.progress.isConfirmed();
  }

  /** The intake offset up to which the store must have been fed. The store checks this itself. */
  long fedTo(Shard shard) {
    return Math.max(above, shard.progress.frontier().highest());
  }

  /** The cursor of the next page. */
  String page() {
    if (cursor.equals(BEGINNING)) {
      again = false;
    }
    return cursor;
  }

  /** The store has swept nothing, because somebody else has written to the shard. */
  void refused(long nanoTime) {
    refusedAt = nanoTime;
  }

  /** A page is swept, and the next one begins there. */
  void swept(String next) {
    cursor = next;
    wanted = again || !next.equals(BEGINNING);
  }

  @Override
  public String toString() {
    return wanted + " " + again + " " + logEnd + " " + above;
  }
}
