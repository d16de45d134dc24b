package io.delaybridge.delivery;

/**
 * The compression of sent records: Kafka's producer compresses everything that it sends, or
 * nothing.
 */
public enum Packing {
  /** As the producer is configured, by default uncompressed. */
  PLAIN,
  /** As small as possible: for a record that its topic does not accept as it is. */
  COMPRESSED
}
