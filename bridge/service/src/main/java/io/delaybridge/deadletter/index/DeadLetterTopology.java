package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.alarms.Alarm;
import io.delaybridge.deadletter.alarms.AlarmSettings;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.Topology;

/**
 * Builds two global stores: dead letters, from the dead-letter topic, and what was done about them,
 * from the marks topic. Global: every instance reads all partitions, so each can answer alone.
 */
final class DeadLetterTopology {

  private DeadLetterTopology() {}

  /**
   * @param letters the dead-letter topic
   * @param marks the marks topic
   * @param capacity most dead letters that are kept
   */
  static Topology build(
      String letters, String marks, int capacity, AlarmSettings settings, Alarm alarm) {
    Topology topology = new Topology();
    // Marks first: at start, no letter is seen before what was done about it.
    topology.addGlobalStore(
        new MemoryStore.Builder<>(MarkStore.NAME, MarkStore::new),
        "read-marks",
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        marks,
        "keep-marks",
        () -> new MarkProcessor(alarm));
    topology.addGlobalStore(
        new MemoryStore.Builder<>(
            LetterStore.NAME,
            () -> new LetterStore(capacity, new Rates(settings.window().toMillis()))),
        "read-letters",
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        letters,
        "keep-letters",
        () -> new LetterProcessor(alarm));
    return topology;
  }
}
