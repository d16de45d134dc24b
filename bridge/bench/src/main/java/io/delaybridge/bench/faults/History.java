package io.delaybridge.bench.faults;

import java.util.List;

/**
 * What happened in a run, as far as bounds on duplicates need it.
 *
 * @param injections when each fault began to happen, epoch milliseconds
 * @param partitions of the intake at the end
 * @param journal of all arrivals
 */
record History(List<Long> injections, int partitions, Journal journal) {

  History {
    injections = List.copyOf(injections);
  }

  /** How many messages the bridges sent within this time, both ends included. */
  long deliveredBetween(long fromMs, long toMs) {
    long delivered = 0;
    for (int i = 0; i < journal.size(); i++) {
      delivered += journal.at(i) >= fromMs && journal.at(i) <= toMs ? 1 : 0;
    }
    return delivered;
  }
}
