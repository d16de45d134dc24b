package io.delaybridge.client;

import org.apache.kafka.clients.producer.ProducerRecord;

/** A request to cancel a pending message. Immutable. */
public final class Cancel {

  private final String intake;
  private final String id;

  Cancel(String intake, String id) {
    this.intake = intake;
    this.id = id;
  }

  /**
   * Sets the intake that the message was written to. The default is {@code delay-intake}.
   *
   * @throws IllegalArgumentException if Kafka would refuse the name
   */
  public Cancel intake(String topic) {
    return new Cancel(Wire.topic("intake", topic), id);
  }

  /** Returns the record to send for a message that was scheduled without its own key. */
  public <V> ProducerRecord<String, V> record() {
    return record(id);
  }

  /**
   * Returns the record to send for a message that was scheduled with this key.
   *
   * @param key not null: without a key, the record goes to any partition
   */
  // Kafka's own type has no annotations; its value may be null.
  @SuppressWarnings("NullAway")
  public <K, V> ProducerRecord<K, V> record(K key) {
    if (key == null) {
      throw new IllegalArgumentException(
          "The key is null, allowed: the key that the message was scheduled with");
    }
    ProducerRecord<K, V> record = new ProducerRecord<>(intake, key, null);
    Wire.put(record.headers(), Wire.ID, id);
    Wire.put(record.headers(), Wire.OP, Wire.OP_CANCEL);
    return record;
  }
}
