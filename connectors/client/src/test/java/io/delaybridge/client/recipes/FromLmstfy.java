package io.delaybridge.client.recipes;

import io.delaybridge.client.Backoff;
import io.delaybridge.client.DelayedRecords;
import io.delaybridge.client.RetryLater;
import io.delaybridge.client.Schedule;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;

final class FromLmstfy {

  private FromLmstfy() {}

  // snippet: publish
  /** What PUT /api/:namespace/:queue?delay=&ttl= was, in seconds; the caller chooses the id. */
  static ProducerRecord<String, byte[]> publish(
      String queue, String job, int delay, int ttl, byte[] data) {
    Schedule schedule = DelayedRecords.to(queue).after(Duration.ofSeconds(delay)).id(job);
    return (ttl == 0 ? schedule : schedule.ttl(Duration.ofSeconds(ttl))).record(data);
  }

  // end

  // snippet: delete
  /** What DELETE of a job that is still delayed was. */
  static ProducerRecord<String, byte[]> delete(String job) {
    return DelayedRecords.cancel(job).record();
  }

  // end

  // snippet: tries
  /** What tries and ttr were: so many attempts, and the same pause after each failure. */
  static RetryLater tries(int tries, int ttr) {
    Duration pause = Duration.ofSeconds(ttr);
    return RetryLater.with(new Backoff(tries, pause, pause));
  }
  // end
}
