package io.delaybridge.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One partition with some records, read from its position. Stands in for Kafka's MockConsumer,
 * which cannot be created in the same way with 3.x and 4.x.
 */
public final class StubConsumer {

  static final TopicPartition PARTITION = new TopicPartition("orders", 0);

  final List<ConsumerRecord<String, String>> log = new ArrayList<>();

  @SuppressWarnings("removal") // In 3.x there is no other way to get one.
  final ConsumerGroupMetadata group = new ConsumerGroupMetadata("group");

  Set<TopicPartition> assigned = Set.of(PARTITION);
  long position;
  long markers;
  long committed;
  @Nullable RuntimeException refusal;
  @Nullable RuntimeException noPosition;

  StubConsumer(String... values) {
    for (String value : values) {
      log.add(new ConsumerRecord<>("orders", 0, log.size(), value, value));
    }
  }

  @SuppressWarnings("unchecked")
  Consumer<String, String> consumer() {
    return (Consumer<String, String>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Consumer.class}, this::call);
  }

  private @Nullable Object call(Object proxy, Method method, Object[] arguments)
      throws IllegalAccessException {
    Class<?>[] types = method.getParameterTypes();
    try {
      return getClass().getMethod(method.getName(), types).invoke(this, arguments);
    } catch (NoSuchMethodException e) {
      throw new UnsupportedOperationException(method.toString(), e);
    } catch (InvocationTargetException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  @SuppressWarnings("deprecation") // The other constructor is not in 3.x.
  public ConsumerRecords<String, String> poll(Duration timeout) {
    var records = List.copyOf(log.subList((int) position, log.size()));
    position = log.size();
    return records.isEmpty()
        ? ConsumerRecords.empty()
        : new ConsumerRecords<>(Map.of(PARTITION, records));
  }

  /** The end of a transaction may be behind the records; the last of them includes it. */
  public long position(TopicPartition partition) {
    requireAssigned(partition);
    if (noPosition != null) {
      throw noPosition;
    }
    return position + markers;
  }

  private void requireAssigned(TopicPartition partition) {
    if (!assigned.contains(partition)) {
      throw new IllegalStateException("No current assignment for partition " + partition);
    }
  }

  public ConsumerGroupMetadata groupMetadata() {
    return group;
  }

  public void seek(TopicPartition partition, long offset) {
    requireAssigned(partition);
    position = offset;
  }

  public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
    if (refusal != null) {
      throw refusal;
    }
    committed = offsets.values().iterator().next().offset();
  }
}
