package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import java.util.Map;

/** How brokers are set up so that hundreds of faults fit into minutes. */
final class Brokers {

  /**
   * Settings of server.properties: who is gone is noticed soon, and checkpoints are compacted soon,
   * as they would be between faults that are hours apart. What a broker has to load of them when it
   * starts is what Kafka 4.2 stumbles over: see docs/guarantees.md, known holes.
   */
  static final Map<String, String> QUICK =
      Map.of(
          "group.min.session.timeout.ms", "1000",
          "offsets.topic.segment.bytes", "1048576",
          "log.cleaner.backoff.ms", "1000",
          "log.cleaner.min.cleanable.ratio", "0.1",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");

  private Brokers() {}

  static LocalBroker quick(LocalBroker broker) {
    QUICK.forEach(broker::with);
    return broker;
  }
}
