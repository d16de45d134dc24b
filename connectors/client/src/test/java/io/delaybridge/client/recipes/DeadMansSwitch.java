package io.delaybridge.client.recipes;

import io.delaybridge.client.Arrival;
import io.delaybridge.client.DelayedRecords;
import io.delaybridge.client.Schedule;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

final class DeadMansSwitch {

  private final Schedule silence;

  DeadMansSwitch(Duration patience, Duration again) {
    // snippet: silence
    silence =
        DelayedRecords.to("devices.silent")
            .after(patience) // Duration.ofMinutes(5)
            .every(again) // Duration.ofMinutes(15)
            .count(10);
    // end
  }

  // snippet: alive
  /** With each sign of life the alarm is put off; if it has begun, it ends and begins anew. */
  ProducerRecord<String, String> alive(String device) {
    return silence.id("silent-" + device).record(device, device);
  }

  // end

  // snippet: answered
  /** Somebody looks after it, or it is out of service: no alarm until it is alive again. */
  static ProducerRecord<String, String> answered(String device) {
    return DelayedRecords.cancel("silent-" + device).record(device);
  }

  // end

  // snippet: level
  /** How often the alarm has come without an answer: the first by mail, the third by telephone. */
  static long level(ConsumerRecord<?, ?> alarm) {
    return Arrival.of(alarm).map(Arrival::occurrence).orElse(1L);
  }
  // end
}
