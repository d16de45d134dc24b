package io.delaybridge.bench.faults;

import java.util.Locale;

/** The delivery guarantees that a bridge can be configured with. */
enum Guarantee {
  EXACTLY_ONCE,
  AT_LEAST_ONCE;

  /** Returns the name in the configuration file of the bridge. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
