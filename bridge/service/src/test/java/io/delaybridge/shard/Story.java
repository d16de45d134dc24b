package io.delaybridge.shard;

import io.delaybridge.schemas.DelayHeaders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The records written in a {@link SmallScope}, in this order, and the times of the clock.
 *
 * @param instants in turn, in milliseconds after the start
 * @param records headers of each
 * @param far whether there is a horizon
 */
record Story(List<Long> instants, List<Map<String, String>> records, LoopSettings.Far far) {

  /**
   * Two messages are due at the same time. A third one, the last, is past due when it is written.
   */
  static final Story PAST_DUE_LAST =
      new Story(List.of(0L, 1L), List.of(due(1), due(1), due(-5)), LoopSettings.Far.OFF);

  /** The same messages with the past-due one first. */
  static final Story PAST_DUE_FIRST =
      new Story(List.of(0L, 1L), List.of(due(-5), due(1), due(1)), LoopSettings.Far.OFF);

  /** A far message takes a lap and comes home, unless its replacement was read before. */
  static final Story FAR_REPLACED =
      new Story(
          List.of(0L, 10L, 30L),
          List.of(named(due(30)), named(due(10))),
          new LoopSettings.Far(20, 10));

  private static Map<String, String> due(long millis) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(DelayHeaders.TARGET_TOPIC, SimWorld.TARGET);
    headers.put(DelayHeaders.DELIVER_AT, Long.toString(SimWorld.START + millis));
    return headers;
  }

  private static Map<String, String> named(Map<String, String> headers) {
    headers.put(DelayHeaders.ID, "x");
    return headers;
  }

  boolean isFar() {
    return far.horizon() > 0;
  }

  long end() {
    return SimWorld.START + instants.get(instants.size() - 1);
  }
}
