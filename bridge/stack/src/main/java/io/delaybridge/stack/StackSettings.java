package io.delaybridge.stack;

import java.util.HashMap;
import java.util.Map;

/**
 * The settings of a stack in addition to its defaults.
 *
 * @param kafka properties of the broker's {@code server.properties}
 * @param redis lines of {@code redis.conf}
 */
public record StackSettings(Map<String, String> kafka, Map<String, String> redis) {

  /** The defaults. */
  public static final StackSettings NONE = new StackSettings(Map.of(), Map.of());

  public StackSettings {
    kafka = Map.copyOf(kafka);
    redis = Map.copyOf(redis);
  }

  /** Returns these settings with another property of the broker. */
  public StackSettings kafka(String key, String value) {
    return new StackSettings(plus(kafka, key, value), redis);
  }

  /** Returns these settings with another line for Redis. */
  public StackSettings redis(String key, String value) {
    return new StackSettings(kafka, plus(redis, key, value));
  }

  private static Map<String, String> plus(Map<String, String> map, String key, String value) {
    Map<String, String> more = new HashMap<>(map);
    more.put(key, value);
    return more;
  }
}
