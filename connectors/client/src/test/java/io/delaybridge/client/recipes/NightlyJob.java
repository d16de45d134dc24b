package io.delaybridge.client.recipes;

import io.delaybridge.client.Arrival;
import io.delaybridge.client.DelayedRecords;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

final class NightlyJob {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private final String cron;

  NightlyJob(String cron) {
    this.cron = cron;
  }

  // snippet: nightly
  /** Every night at three. Written again, it takes the place of itself. */
  ProducerRecord<String, String> nightly(String report) {
    return DelayedRecords.to("reports.due")
        .cron(cron, BERLIN) // "0 3 * * *"
        .id("nightly-" + report)
        .record(report);
  }

  // end

  // snippet: night
  /** The night that it is for, also if it comes late; empty if it was run by hand. */
  static Optional<LocalDate> night(ConsumerRecord<?, ?> due) {
    return Arrival.of(due).map(Arrival::scheduledAt).map(at -> LocalDate.ofInstant(at, BERLIN));
  }

  // end

  // snippet: stop
  static ProducerRecord<String, String> stop(String report) {
    return DelayedRecords.cancel("nightly-" + report).record();
  }
  // end
}
