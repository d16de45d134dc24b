package io.delaybridge.bench.faults;

import java.util.List;

/**
 * The events of a run that determine the bounds on duplicates.
 *
 * @param injections start time of each fault, epoch milliseconds
 * @param partitions number of intake partitions at the end
 * @param journal journal of all arrivals
 */
record History(List<Long> injections, int partitions, Journal journal) {

  History {
    injections = List.copyOf(injections);
  }

  /** Returns how many messages the bridges sent between these times, both inclusive. */
  long deliveredBetween(long fromMs, long toMs) {
    long delivered = 0;
    for (int i = 0; i < journal.size(); i++) {
      delivered += journal.at(i) >= fromMs && journal.at(i) <= toMs ? 1 : 0;
    }
    return delivered;
  }
}
