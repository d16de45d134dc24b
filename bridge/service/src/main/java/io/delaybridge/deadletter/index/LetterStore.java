package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.message.Source;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Holds the dead letters by source and by time; the newest of them if there are more than fit. The
 * thread of Kafka Streams writes, any other may read.
 */
final class LetterStore extends MemoryStore {

  static final String NAME = "letters";

  private final int capacity;
  private final Map<Source, DeadLetter> bySource = new ConcurrentHashMap<>();
  private final ConcurrentNavigableMap<Place, DeadLetter> byTime = new ConcurrentSkipListMap<>();
  private final WindowCounts counts = new WindowCounts();
  private final Rates rates;
  private final AtomicLong skipped = new AtomicLong();
  private final AtomicLong evicted = new AtomicLong();

  /** Where a letter is in the order of time. */
  record Place(long at, int partition, long offset) implements Comparable<Place> {

    private static final Comparator<Place> ORDER =
        Comparator.comparingLong(Place::at)
            .thenComparingInt(Place::partition)
            .thenComparingLong(Place::offset);

    static Place of(DeadLetter letter) {
      return new Place(letter.at(), letter.position().partition(), letter.position().offset());
    }

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * @param capacity most letters that are kept
   * @param rates goes on from zero with each store; only the thread that writes may use it
   */
  LetterStore(int capacity, Rates rates) {
    super(NAME);
    this.capacity = capacity;
    this.rates = rates;
  }

  /**
   * Adds a letter. Of two with the same source the later one stays, in whatever order their
   * partitions are read. Returns true if there was none: without transactions, a fault may write a
   * letter twice.
   */
  boolean put(DeadLetter letter) {
    DeadLetter before = bySource.get(letter.source());
    if (before == null) {
      counts.add(letter);
    } else if (Place.of(before).compareTo(Place.of(letter)) > 0) {
      return false;
    } else {
      byTime.remove(Place.of(before));
    }
    bySource.put(letter.source(), letter);
    byTime.put(Place.of(letter), letter);
    while (bySource.size() > capacity) {
      remove(byTime.firstEntry().getValue());
      evicted.incrementAndGet();
    }
    return before == null;
  }

  /** Forgets the letters of a partition that the topic itself no longer has. */
  void dropBelow(int partition, long offset) {
    for (DeadLetter letter : byTime.values()) {
      if (letter.position().partition() == partition && letter.position().offset() < offset) {
        remove(letter);
      }
    }
  }

  private void remove(DeadLetter letter) {
    byTime.remove(Place.of(letter));
    bySource.remove(letter.source(), letter);
  }

  void skip() {
    skipped.incrementAndGet();
  }

  @Nullable DeadLetter find(Source source) {
    return bySource.get(source);
  }

  /** The letters before a place, newest first; null for all of them. */
  Collection<DeadLetter> newestFirst(@Nullable Place before) {
    return (before == null ? byTime : byTime.headMap(before)).descendingMap().values();
  }

  WindowCounts counts() {
    return counts;
  }

  Rates rates() {
    return rates;
  }

  int size() {
    return bySource.size();
  }

  long skipped() {
    return skipped.get();
  }

  long evicted() {
    return evicted.get();
  }
}
