package io.delaybridge.delivery;

import io.delaybridge.schemas.DelayHeaders;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends each record in the context that its headers carry. An agent makes a span of each send and
 * has the record carry that on. Otherwise the span would begin a trace of its own, or continue that
 * of another message. A copy of a message carries on what it has: the next wait of the message is
 * not below this send.
 */
public final class TracedProducer extends KafkaProducer<byte[], byte[]> {

  private final Tracing tracing;
  private final Copies copies;

  /**
   * @param properties as Kafka understands them
   * @param tracing reads the context that headers carry
   */
  public TracedProducer(Map<String, Object> properties, Tracing tracing) {
    this(properties, tracing, new Copies(tracing));
  }

  private TracedProducer(Map<String, Object> properties, Tracing tracing, Copies copies) {
    super(properties, new ByteArraySerializer(), copies);
    this.tracing = tracing;
    this.copies = copies;
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    Context carried = tracing.carried(record.headers());
    boolean isCopy = record.headers().lastHeader(DelayHeaders.RETRY) != null;
    copies.keep(isCopy ? tracing.carriers(record.headers()) : null);
    try {
      return carried == Context.root()
          ? super.send(record, callback)
          : carried.wrapSupplier(() -> super.send(record, callback)).get();
    } finally {
      copies.keep(null);
    }
  }

  /** The last to see the headers of a record, after the agent. */
  static final class Copies extends ByteArraySerializer {

    /** The context of the record that a thread sends, if it is a copy. */
    private static final ThreadLocal<@Nullable List<Header>> KEPT = new ThreadLocal<>();

    private final Tracing tracing;

    Copies(Tracing tracing) {
      this.tracing = tracing;
    }

    void keep(@Nullable List<Header> context) {
      KEPT.set(context);
    }

    @Override
    public byte[] serialize(String topic, Headers headers, byte[] data) {
      List<Header> context = KEPT.get();
      if (context != null) {
        tracing.carry(headers, context);
      }
      return data;
    }
  }
}
