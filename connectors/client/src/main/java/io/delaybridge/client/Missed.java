package io.delaybridge.client;

import java.util.Locale;

/**
 * What becomes of occurrences of a repeating message whose time has passed without them, because
 * the bridge was away or its partition was paused.
 */
public enum Missed {
  /** The first of them comes late, those after it are left out. What the bridge does by default. */
  ONE,
  /** Each of them comes, one after the other. */
  ALL,
  /** None of them comes, nor one that is more than a minute late. */
  SKIP;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
