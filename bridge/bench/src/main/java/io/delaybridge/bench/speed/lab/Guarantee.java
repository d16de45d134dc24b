package io.delaybridge.bench.speed.lab;

import java.util.Arrays;
import java.util.Locale;

/** The delivery guarantee in case of a failure. */
public enum Guarantee {
  EXACTLY_ONCE,
  AT_LEAST_ONCE;

  /** Returns the name in the configuration: {@code exactly_once}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name in a text: "exactly once". */
  public String words() {
    return key().replace('_', ' ');
  }

  /** Returns the guarantee with this key; throws IllegalArgumentException if there is none. */
  public static Guarantee of(String key) {
    return Arrays.stream(values())
        .filter(guarantee -> guarantee.key().equals(key))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(key));
  }
}
