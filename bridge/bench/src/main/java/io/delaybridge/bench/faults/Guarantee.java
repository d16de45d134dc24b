package io.delaybridge.bench.faults;

import java.util.Locale;

/** What the bridge is configured to promise. */
enum Guarantee {
  EXACTLY_ONCE,
  AT_LEAST_ONCE;

  /** As in the configuration file of the bridge. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
