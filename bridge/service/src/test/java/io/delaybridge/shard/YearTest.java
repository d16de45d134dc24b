package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The product's turn through whole years of simulation: a horizon of a day, laps of half a day,
 * messages that are due up to 400 days ahead, and faults all the time. {@code -Dyears} sets the
 * number; see docs/simulation.md.
 */
@ExtendWith(QuietLog.class)
class YearTest {

  private static final int YEARS = Integer.getInteger("years", 1);
  private static final int COPIES_OF_A_MESSAGE = 30;

  @Test
  void everyMessageOfAYearComesOnce() {
    Map<String, Integer> happened = new TreeMap<>();
    long messages = 0;
    long copies = 0;
    for (long seed = 0; seed < YEARS; seed++) {
      Trial trial = Trial.ofYear(seed, new SimWiring());
      trial.run();
      messages += trial.messages();
      copies += trial.copies();
      trial.happened().forEach((event, times) -> happened.merge(event, times, Integer::sum));
    }
    System.out.printf(
        "%d years: %,d messages, %,d copies in the later topic, %s%n",
        YEARS, messages, copies, happened);
    assertThat(copies).isGreaterThan(COPIES_OF_A_MESSAGE * messages);
  }
}
