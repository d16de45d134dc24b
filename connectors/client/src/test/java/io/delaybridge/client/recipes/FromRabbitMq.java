package io.delaybridge.client.recipes;

import io.delaybridge.client.DelayedRecords;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;

final class FromRabbitMq {

  private FromRabbitMq() {}

  // snippet: publish
  /** What basicPublish to a delayed exchange was: x-delay in milliseconds, one topic per queue. */
  static ProducerRecord<String, byte[]> publish(String queue, String key, long delay, byte[] body) {
    return DelayedRecords.to(queue).after(Duration.ofMillis(delay)).record(key, body);
  }
  // end
}
