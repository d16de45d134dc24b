package io.delaybridge.bench.faults.agent;

import java.util.concurrent.atomic.AtomicInteger;

/** The current orders of the agent. The code that the agent puts into the bridge reads them. */
public final class Orders {

  /** The exit status after SIGKILL: as there, no shutdown hook runs and nothing is closed. */
  private static final int STATUS = 137;

  private static final String NONE = "";
  private static final AtomicInteger LEFT = new AtomicInteger();
  private static volatile String point = NONE;
  private static volatile long shift;

  private Orders() {}

  /** Ends the process when it reaches this point for the n-th time from now. */
  static void halt(Point at, int nth) {
    point = NONE;
    LEFT.set(nth);
    point = at.name();
  }

  /** Cancels {@link #halt}. */
  static void go() {
    point = NONE;
  }

  /** Sets the wall clock of the bridge ahead by this many milliseconds, or back if negative. */
  static void shift(long millis) {
    shift = millis;
  }

  /** The bridge calls this when it reaches the point with this name. */
  public static void at(String name) {
    if (name.equals(point) && LEFT.decrementAndGet() == 0) {
      Runtime.getRuntime().halt(STATUS);
    }
  }

  /** The bridge calls this with the time of its wall clock and gets the shifted time. */
  public static long clock(long millis) {
    return millis + shift;
  }
}
