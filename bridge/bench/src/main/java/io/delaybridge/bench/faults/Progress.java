package io.delaybridge.bench.faults;

/** Where lines about a run go. */
@FunctionalInterface
interface Progress {
  void line(String text);
}
