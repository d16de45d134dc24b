package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import java.util.Map;

/** How brokers are set up so that hundreds of faults fit into minutes. */
final class Brokers {

  /** Settings of server.properties: who is gone is noticed soon. */
  static final Map<String, String> QUICK =
      Map.of(
          "group.min.session.timeout.ms", "1000",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");

  private Brokers() {}

  static LocalBroker quick(LocalBroker broker) {
    QUICK.forEach(broker::with);
    return broker;
  }
}
