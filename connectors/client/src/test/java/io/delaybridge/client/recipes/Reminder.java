package io.delaybridge.client.recipes;

import io.delaybridge.client.DelayedRecords;
import java.time.Duration;
import java.time.ZoneId;
import org.apache.kafka.clients.producer.Producer;

@SuppressWarnings("FutureReturnValueIgnored") // Only shown, and the test looks at what arrives.
final class Reminder {

  private Reminder() {}

  static void schedule(Producer<String, String> producer, String json) {
    // snippet: schedule
    producer.send(
        DelayedRecords.to("orders.reminders")
            .after(Duration.ofMinutes(30))
            .id("reminder-4711")
            .record(json));
    // end
  }

  static void cancel(Producer<String, String> producer) {
    // snippet: cancel
    producer.send(DelayedRecords.cancel("reminder-4711").record());
    // end
  }

  static void nightly(Producer<String, String> producer, String json) {
    // snippet: nightly
    producer.send(
        DelayedRecords.to("reports.due")
            .cron("0 3 * * *", ZoneId.of("Europe/Berlin"))
            .id("nightly-sales")
            .record(json));
    // end
  }
}
