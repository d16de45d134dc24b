package io.delaybridge.bench.speed.lab;

import java.util.Arrays;
import java.util.Locale;

/** What is promised when something dies. */
public enum Guarantee {
  EXACTLY_ONCE,
  AT_LEAST_ONCE;

  /** As it is configured: {@code exactly_once}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As it is read: "exactly once". */
  public String words() {
    return key().replace('_', ' ');
  }

  /** Throws IllegalArgumentException if it is none. */
  public static Guarantee of(String key) {
    return Arrays.stream(values())
        .filter(guarantee -> guarantee.key().equals(key))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(key));
  }
}
