package io.delaybridge.message;

/**
 * The intake record that a message came from; its name towards users, as {@code
 * topic/partition/offset}, or {@code topic/partition/offset-occurrence}.
 *
 * @param topic intake topic
 * @param partition intake partition
 * @param offset intake offset of the first attempt, constant over all retries
 * @param occurrence which one, if a message that repeats was requested there; 0 for the message
 *     itself
 */
public record Source(String topic, int partition, long offset, int occurrence) {

  /** Of the message itself. */
  public Source(String topic, int partition, long offset) {
    this(topic, partition, offset, 0);
  }

  /** The same source with a topic name that is in memory only once. */
  public Source shared() {
    return new Source(topic.intern(), partition, offset, occurrence);
  }

  @Override
  public String toString() {
    String record = topic + "/" + partition + "/" + offset;
    return occurrence == 0 ? record : record + "-" + occurrence;
  }
}
