package io.delaybridge.client.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class AppointmentTest {

  @Test
  void aReminderIsUselessOnceTheAppointmentBeginsAlsoIfItWasMoved() {
    ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
    ZonedDateTime begins = now.plusDays(3);

    for (ProducerRecord<String, String> record :
        List.of(
            Appointment.remind("a", begins, now, "json"),
            Appointment.moved("a", begins, now, "json"))) {
      assertThat(record.headers().lastHeader("delay-ttl-ms").value())
          .isEqualTo("259200000".getBytes(StandardCharsets.UTF_8));
    }
  }
}
