package io.delaybridge.delivery;

/** How records go out: Kafka's producer compresses all that it sends, or nothing. */
public enum Packing {
  /** As the producer is configured, by default as they are. */
  PLAIN,
  /** As small as can be: for what its topic does not take as it is. */
  COMPRESSED
}
