package io.delaybridge.client.recipes;

import io.delaybridge.client.DelayedRecords;
import io.delaybridge.client.Missed;
import java.time.Duration;
import java.time.ZoneId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

final class FromSchedulers {

  private FromSchedulers() {}

  // snippet: cron
  /** What a CronTrigger of Quartz was that does nothing about a misfire. */
  static ProducerRecord<String, String> cron(
      String job, String expression, ZoneId zone, String data) {
    return DelayedRecords.to(job)
        .cron(expression, zone)
        .missed(Missed.SKIP)
        .id("trigger-" + job)
        .record(data);
  }

  // end

  // snippet: every
  /** What upsertJobScheduler(id, {every, limit}, {data}) of BullMQ was; every in milliseconds. */
  static ProducerRecord<String, String> every(
      String queue, String id, long every, long limit, String data) {
    Duration interval = Duration.ofMillis(every);
    return DelayedRecords.to(queue)
        .after(interval)
        .every(interval)
        .count(limit)
        .id(id)
        .record(data);
  }

  // end

  // snippet: fixedDelay
  /** What FixedDelay of db-scheduler was: sent when the work is done, best in its transaction. */
  static ProducerRecord<String, String> fixedDelay(
      ConsumerRecord<String, String> done, Duration pause) {
    return DelayedRecords.to(done.topic())
        .after(pause)
        .id("next-" + done.topic())
        .record(done.value());
  }
  // end
}
