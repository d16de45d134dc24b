package io.delaybridge.client;

import java.util.Locale;

/**
 * What happens to missed occurrences of a repeating message: their time passed while the bridge was
 * unavailable or its partition was paused.
 */
public enum Missed {
  /** The first of them is delivered late, the others are left out. This is the bridge's default. */
  ONE,
  /** Each of them is delivered, one after the other. */
  ALL,
  /** None of them is delivered, nor is one that is more than a minute late. */
  SKIP;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
