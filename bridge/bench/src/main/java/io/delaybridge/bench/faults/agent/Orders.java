package io.delaybridge.bench.faults.agent;

import java.util.concurrent.atomic.AtomicInteger;

/** What the agent was told; asked by the code that it puts into the bridge. */
public final class Orders {

  /** As after SIGKILL: no shutdown hook, nothing is closed. */
  private static final int STATUS = 137;

  private static final String NONE = "";
  private static final AtomicInteger LEFT = new AtomicInteger();
  private static volatile String point = NONE;
  private static volatile long shift;

  private Orders() {}

  /** Ends the process when it comes by this point for the n-th time from now. */
  static void halt(Point at, int nth) {
    point = NONE;
    LEFT.set(nth);
    point = at.name();
  }

  /** Takes {@link #halt} back. */
  static void go() {
    point = NONE;
  }

  /** Sets the wall clock of the bridge ahead by so many milliseconds, or back. */
  static void shift(long millis) {
    shift = millis;
  }

  /** Called from the bridge: it comes by the point of this name. */
  public static void at(String name) {
    if (name.equals(point) && LEFT.decrementAndGet() == 0) {
      Runtime.getRuntime().halt(STATUS);
    }
  }

  /** Called from the bridge: its wall clock, which has just told this. */
  public static long clock(long millis) {
    return millis + shift;
  }
}
