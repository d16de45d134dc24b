package io.delaybridge.client.kafka4;

import io.delaybridge.client.Arrival;
import io.delaybridge.client.RetryLater;
import io.delaybridge.client.Verdict;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

final class StreamsRetry {

  private StreamsRetry() {}

  // snippet: processor
  /** Answers, or sends what it failed on to the intake or to the dead letters. */
  static final class Pricing extends ContextualProcessor<String, String, String, String> {

    private final RetryLater later;
    private final UnaryOperator<String> price;

    Pricing(RetryLater later, UnaryOperator<String> price) {
      this.later = later;
      this.price = price;
    }

    @Override
    public void process(Record<String, String> order) {
      String answer;
      try {
        answer = price.apply(order.value());
      } catch (RuntimeException e) {
        giveBack(order, e);
        return;
      }
      context().forward(order.withValue(answer).withHeaders(own(order.headers())), "prices");
    }

    /** The others are about this delivery of the order, not about its price. */
    private static Headers own(Headers all) {
      Headers own = new RecordHeaders();
      for (Header header : all) {
        if (!header.key().startsWith("delay-")) {
          own.add(header);
        }
      }
      return own;
    }

    private void giveBack(Record<String, String> order, Exception failure) {
      RecordMetadata at = context().recordMetadata().orElseThrow();
      ConsumerRecord<String, String> read =
          new ConsumerRecord<>(
              at.topic(),
              at.partition(),
              at.offset(),
              order.timestamp(),
              TimestampType.CREATE_TIME,
              ConsumerRecord.NULL_SIZE,
              ConsumerRecord.NULL_SIZE,
              order.key(),
              order.value(),
              order.headers(),
              Optional.empty());
      Verdict<String, String> verdict = later.verdict(read, failure);
      // The delay counts from the timestamp of the record, and that of the order has passed.
      context()
          .forward(
              order
                  .withTimestamp(context().currentSystemTimeMs())
                  .withHeaders(verdict.record().headers()),
              verdict instanceof Verdict.Dead ? "dead letters" : "intake");
    }
  }

  // end

  static Topology topology(RetryLater later, UnaryOperator<String> price) {
    // snippet: topology
    Topology topology = new Topology();
    // A retry has the time of the order, not that of its delivery.
    TimestampExtractor times = (record, before) -> Arrival.originalTimestamp(record);
    topology.addSource(times, "orders", "orders", "orders.pricing.retry");
    topology.addProcessor("pricing", () -> new Pricing(later, price), "orders");
    topology.addSink("prices", "prices", "pricing");
    topology.addSink("intake", "delay-intake", "pricing");
    topology.addSink("dead letters", "delay-deadletter", "pricing");
    // end
    return topology;
  }
}
