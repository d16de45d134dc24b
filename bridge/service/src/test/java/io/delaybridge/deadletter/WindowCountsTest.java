package io.delaybridge.deadletter;

import static io.delaybridge.deadletter.Letters.AT;
import static io.delaybridge.deadletter.Letters.letter;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowCountsTest {

  private final WindowCounts counts = new WindowCounts();

  @Test
  void targetsBeyondABoundShareOneName() {
    for (int i = 0; i < WindowCounts.MAX_KINDS + 5; i++) {
      counts.add(letter(i, "EXPIRED", "target-" + i, AT));
    }

    assertThat(counts.since(AT, 60_000, intake -> true))
        .hasSize(WindowCounts.MAX_KINDS + 1)
        .filteredOn(count -> WindowCounts.OTHER.equals(count.target()))
        .singleElement()
        .satisfies(count -> assertThat(count.count()).isEqualTo(5));
  }

  @Test
  void whatIsOlderThanAWeekIsForgottenAndNotTakenIn() {
    long week = WindowCounts.KEPT_MINUTES * WindowCounts.MINUTE;
    counts.add(letter(1, "EXPIRED", null, AT));
    counts.add(letter(2, "EXPIRED", null, AT + week + WindowCounts.MINUTE));
    counts.add(letter(3, "EXPIRED", null, AT));

    assertThat(counts.since(0, 60_000, intake -> true))
        .singleElement()
        .satisfies(count -> assertThat(count.at()).isGreaterThan(AT + week));
  }
}
