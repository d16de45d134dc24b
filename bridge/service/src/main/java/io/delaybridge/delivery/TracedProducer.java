package io.delaybridge.delivery;

import io.opentelemetry.context.Context;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends each record in the context that its headers carry. An agent makes a span of each send and
 * has the record carry that on. Otherwise the span would begin a trace of its own, or continue that
 * of another message.
 */
public final class TracedProducer extends KafkaProducer<byte[], byte[]> {

  private final Tracing tracing;

  /**
   * @param properties as Kafka understands them
   * @param tracing reads the context that headers carry
   */
  public TracedProducer(Map<String, Object> properties, Tracing tracing) {
    super(properties, new ByteArraySerializer(), new ByteArraySerializer());
    this.tracing = tracing;
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    Context carried = tracing.carried(record.headers());
    return carried == Context.root()
        ? super.send(record, callback)
        : carried.wrapSupplier(() -> super.send(record, callback)).get();
  }
}
