package io.delaybridge.client.recipes;

import io.delaybridge.client.DelayedRecords;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.apache.kafka.clients.producer.ProducerRecord;

final class Appointment {

  private Appointment() {}

  // snippet: remind
  /** A day before, in the time zone of the appointment; useless once it has begun. */
  static ProducerRecord<String, String> remind(
      String appointment, ZonedDateTime begins, ZonedDateTime now, String json) {
    ZonedDateTime reminded = begins.minusDays(1);
    return DelayedRecords.to("appointments.reminders")
        .at(reminded.toInstant())
        .id("reminder-" + appointment)
        .ttl(Duration.between(now, begins))
        .record(json);
  }

  // end

  // snippet: moved
  /** Another time: the same id, so it takes the place of the reminder that is pending. */
  static ProducerRecord<String, String> moved(
      String appointment, ZonedDateTime begins, ZonedDateTime now, String json) {
    return DelayedRecords.replace("reminder-" + appointment)
        .to("appointments.reminders")
        .at(begins.minusDays(1).toInstant())
        .ttl(Duration.between(now, begins))
        .record(json);
  }

  // end

  // snippet: calledOff
  static ProducerRecord<String, String> calledOff(String appointment) {
    return DelayedRecords.cancel("reminder-" + appointment).record();
  }
  // end
}
