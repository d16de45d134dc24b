package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.ReplayJob;
import io.delaybridge.message.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Holds what the marks topic says. The thread of Kafka Streams writes, any other may read. */
public final class MarkStore extends MemoryStore {

  static final String NAME = "marks";
  private static final int MAX_JOBS = 100;

  private final Map<Source, Mark> marks = new ConcurrentHashMap<>();
  private final Map<String, ReplayJob> jobs =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, ReplayJob> eldest) {
              return size() > MAX_JOBS;
            }
          });
  private final AtomicLong skipped = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private long seen = -1;

  /** A store without marks. */
  public MarkStore() {
    super(NAME);
  }

  /** Keeps what was done about the letter of this source. */
  public void put(Source source, Mark mark) {
    marks.put(source, mark.shared());
  }

  void remove(Source source) {
    marks.remove(source);
  }

  void put(ReplayJob job) {
    jobs.put(job.job(), job);
  }

  void skip() {
    skipped.incrementAndGet();
  }

  /** Says that the record at this offset, and so all before it, are in the store. */
  public void seen(long offset) {
    lock.lock();
    try {
      seen = offset;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the record at this offset is in the store; false if that takes too long. */
  public boolean awaitSeen(long offset, Duration limit) throws InterruptedException {
    long left = limit.toNanos();
    lock.lockInterruptibly();
    try {
      while (seen < offset && left > 0) {
        left = moved.awaitNanos(left);
      }
      return seen >= offset;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the mark of this letter, or null if it has none. */
  public @Nullable Mark find(DeadLetter letter) {
    Mark mark = marks.get(letter.source());
    return mark != null && mark.isOf(letter) ? mark : null;
  }

  @Nullable ReplayJob job(String job) {
    return jobs.get(job);
  }

  /** Sources whose dead letter was in this partition, before this offset. */
  List<Source> below(int partition, long offset) {
    List<Source> found = new ArrayList<>();
    marks.forEach(
        (source, mark) -> {
          if (mark.position().partition() == partition && mark.position().offset() < offset) {
            found.add(source);
          }
        });
    return found;
  }

  int size() {
    return marks.size();
  }

  long skipped() {
    return skipped.get();
  }
}
