package io.delaybridge.deadletter.marks;

import io.delaybridge.deadletter.letters.Letters;
import io.delaybridge.message.Source;

/** Marks for tests, on the letters of {@link Letters}. */
public final class Marks {

  private Marks() {}

  public static Mark mark(Mark.State state, long offset) {
    return new Mark(
        state,
        Letters.AT,
        "me",
        "operation",
        new Source(Letters.TOPIC, 0, offset),
        state == Mark.State.REPLAYED ? Letters.source(offset + 1_000) : null,
        1);
  }
}
