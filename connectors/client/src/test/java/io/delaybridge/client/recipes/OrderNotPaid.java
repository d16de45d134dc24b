package io.delaybridge.client.recipes;

import io.delaybridge.client.DelayedRecords;
import io.delaybridge.client.Schedule;
import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

@SuppressWarnings("FutureReturnValueIgnored") // The commit fails if a send does.
final class OrderNotPaid {

  private final Producer<String, String> producer;
  private final Schedule reminder;

  OrderNotPaid(Producer<String, String> producer, Duration patience) {
    this.producer = producer;
    // snippet: reminder
    reminder = DelayedRecords.to("orders.unpaid").after(patience); // Duration.ofMinutes(30)
    // end
  }

  // snippet: placed
  /** The order and its reminder: both, or none. */
  void placed(String order, String json) {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("orders.placed", order, json));
    producer.send(reminder.id("unpaid-" + order).record(order, json));
    producer.commitTransaction();
  }

  // end

  // snippet: paid
  /** The payment, and no reminder any more. The key is that of the order, as above. */
  void paid(String order, String json) {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("orders.paid", order, json));
    producer.send(DelayedRecords.cancel("unpaid-" + order).record(order));
    producer.commitTransaction();
  }
  // end
}
