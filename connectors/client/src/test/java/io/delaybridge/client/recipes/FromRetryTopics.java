package io.delaybridge.client.recipes;

import io.delaybridge.client.DelayedRecords;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

final class FromRetryTopics {

  private FromRetryTopics() {}

  // snippet: drain
  /** Moves what still waits on an old retry topic of this pause, due when it would have been. */
  static ProducerRecord<byte[], byte[]> drain(
      ConsumerRecord<byte[], byte[]> waiting, Duration pause, String target) {
    Instant due = Instant.ofEpochMilli(waiting.timestamp()).plus(pause);
    ProducerRecord<byte[], byte[]> request =
        DelayedRecords.to(target).at(due).record(waiting.key(), waiting.value());
    for (Header header : waiting.headers()) {
      // With its old id it would replace what is pending of that id by now.
      if (!header.key().startsWith("delay-")) {
        request.headers().add(header);
      }
    }
    return request;
  }
  // end
}
