package io.delaybridge.schemas;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names of common headers. Stored messages contain a number instead, which is the position in this
 * list, from 1. New names are added at the end only.
 *
 * <p>{@link DelayHeaders#ID} is not among them: a store may look for it by its name.
 */
final class HeaderNames {

  private static final List<String> NAMES =
      List.of(
          DelayHeaders.TARGET_TOPIC,
          DelayHeaders.DELAY_MS,
          DelayHeaders.DELAY_DURATION,
          DelayHeaders.DELIVER_AT,
          DelayHeaders.OP,
          DelayHeaders.PENDING,
          DelayHeaders.TTL_MS,
          DelayHeaders.MAX_ATTEMPTS,
          DelayHeaders.SPREAD_MS,
          DelayHeaders.RETRY,
          DelayHeaders.SOURCE,
          DelayHeaders.CONSUMER_ATTEMPT,
          DelayHeaders.CONSUMER_SOURCE,
          DelayHeaders.CONSUMER_ID,
          DelayHeaders.REPLAY,
          "content-type",
          "traceparent",
          "tracestate");

  private static final Map<String, Integer> NUMBERS = new HashMap<>();

  static {
    for (int i = 0; i < NAMES.size(); i++) {
      NUMBERS.put(NAMES.get(i), i + 1);
    }
  }

  private HeaderNames() {}

  /** Returns the number of a name, or 0 if it has none. */
  static int number(String name) {
    return NUMBERS.getOrDefault(name, 0);
  }

  /** Returns the name with this number, or null if there is none. */
  static @Nullable String name(int number) {
    return number > 0 && number <= NAMES.size() ? NAMES.get(number - 1) : null;
  }
}
