package io.delaybridge.message;

/**
 * The intake record that a message came from; its name towards users, as {@code
 * topic/partition/offset}.
 *
 * @param topic intake topic
 * @param partition intake partition
 * @param offset intake offset of the first attempt, constant over all retries
 */
public record Source(String topic, int partition, long offset) {

  /** The same source with a topic name that is in memory only once. */
  public Source shared() {
    return new Source(topic.intern(), partition, offset);
  }

  @Override
  public String toString() {
    return topic + "/" + partition + "/" + offset;
  }
}
