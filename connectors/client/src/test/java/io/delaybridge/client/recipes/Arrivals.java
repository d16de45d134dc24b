package io.delaybridge.client.recipes;

import io.delaybridge.client.Arrival;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;

final class Arrivals {

  private Arrivals() {}

  // snippet: arrival
  /** Half an hour late is too late; what did not come through the bridge is never late. */
  static boolean isStale(ConsumerRecord<?, ?> record) {
    return Arrival.of(record)
        .filter(arrival -> arrival.lateness().compareTo(Duration.ofMinutes(30)) > 0)
        .isPresent();
  }
  // end
}
