package io.delaybridge.connect.callback;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Processes a bounded number of items at a time. If configured, items with the same key run one
 * after the other, in the order of their arrival. Safe for several threads.
 */
final class Dispatcher {

  /** The processing of an item. */
  interface Work {

    /**
     * Begins without waiting.
     *
     * @param finished to be called once at the end, on another thread than this one
     */
    void begin(Item item, Runnable finished);
  }

  private record Key(TopicPartition partition, ByteBuffer bytes) {}

  private final int concurrency;
  private final boolean perKey;
  private final Work work;
  private final Consumer<Throwable> broken;

  private final Queue<Item> ready = new ArrayDeque<>();
  private final Map<Key, Queue<Item>> behind = new HashMap<>();
  private int working;
  private int backlog;

  /**
   * @param concurrency maximum number of items in progress
   * @param perKey whether records of one key wait for each other
   * @param broken told when an item could not even be begun, which then stays unfinished
   */
  Dispatcher(int concurrency, boolean perKey, Work work, Consumer<Throwable> broken) {
    this.concurrency = concurrency;
    this.perKey = perKey;
    this.work = work;
    this.broken = broken;
  }

  /** Takes items in the order of their partitions. */
  void add(Collection<Item> items) {
    synchronized (this) {
      backlog += items.size();
      for (Item item : items) {
        Key key = key(item);
        Queue<Item> waiting = key == null ? null : behind.get(key);
        if (waiting != null) {
          waiting.add(item);
        } else {
          ready.add(item);
          if (key != null) {
            behind.put(key, new ArrayDeque<>());
          }
        }
      }
    }
    beginWhatMay();
  }

  /**
   * Waits until at most this many items are in progress or waiting.
   *
   * @return whether that is so now
   */
  synchronized boolean awaitBacklog(int most, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (backlog > most) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis <= 0) {
        return false;
      }
      wait(millis);
    }
    return true;
  }

  private void beginWhatMay() {
    for (Item item = next(); item != null; item = next()) {
      Item begun = item;
      try {
        work.begin(
            begun,
            () -> {
              end(begun);
              beginWhatMay();
            });
      } catch (RuntimeException | Error e) {
        // An exception on a thread of a client would go unnoticed.
        broken.accept(e);
      }
    }
  }

  private synchronized @Nullable Item next() {
    while (working < concurrency) {
      Item item = ready.poll();
      if (item == null) {
        return null;
      }
      working++;
      if (!item.isAbandoned()) {
        return item;
      }
      end(item);
    }
    return null;
  }

  private synchronized void end(Item item) {
    item.progress().finish(item.record().offset());
    working--;
    backlog--;
    Key key = key(item);
    if (key != null) {
      Item follower = behind.getOrDefault(key, new ArrayDeque<>()).poll();
      if (follower == null) {
        behind.remove(key);
      } else {
        ready.add(follower);
      }
    }
    notifyAll();
  }

  /**
   * Returns the key of items that must not overtake each other; null if this one may be overtaken.
   */
  private @Nullable Key key(Item item) {
    byte[] bytes = item.record().key();
    return perKey && bytes != null
        ? new Key(item.record().partition(), ByteBuffer.wrap(bytes))
        : null;
  }
}
