package io.delaybridge.client.recipes;

import io.delaybridge.client.RetryLater;
import io.delaybridge.client.RetryLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

final class Billing {

  private final RetryLater later;
  private final RetryLoop.Handler<String, String> biller;

  Billing(RetryLater later, RetryLoop.Handler<String, String> biller) {
    this.later = later;
    this.biller = biller;
  }

  private List<ProducerRecord<String, String>> bill(ConsumerRecord<String, String> order)
      throws Exception {
    return List.copyOf(biller.handle(order));
  }

  // snippet: loop
  /** Until stop() is called from another thread. */
  RetryLoop<String, String> loop(
      Consumer<String, String> consumer, Producer<String, String> producer) {
    consumer.subscribe(List.of("orders", "orders.billing.retry"));
    return RetryLoop.exactlyOnce(consumer, producer, later, this::bill);
  }

  // end

  // snippet: own
  /**
   * One turn of a loop of one's own, at least once. If it throws, close the consumer: the next turn
   * would commit beyond what was not sent.
   */
  void turn(Consumer<String, String> consumer, Producer<String, String> producer) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (ConsumerRecord<String, String> order : consumer.poll(Duration.ofMillis(500))) {
      try {
        for (ProducerRecord<String, String> invoice : bill(order)) {
          sent.add(producer.send(invoice));
        }
      } catch (InterruptedException | InterruptException e) {
        throw e; // The end of this thread says nothing about the order.
      } catch (Exception e) {
        sent.add(producer.send(later.verdict(order, e).record()));
      }
      done.put(
          new TopicPartition(order.topic(), order.partition()),
          new OffsetAndMetadata(order.offset() + 1));
    }
    producer.flush();
    for (Future<RecordMetadata> each : sent) {
      each.get(); // Throws if it was not sent; then nothing may be committed.
    }
    consumer.commitSync(done);
  }
  // end
}
