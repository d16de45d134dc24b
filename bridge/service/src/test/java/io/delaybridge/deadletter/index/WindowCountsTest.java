package io.delaybridge.deadletter.index;

import static io.delaybridge.deadletter.letters.Letters.AT;
import static io.delaybridge.deadletter.letters.Letters.letter;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
  void soAreReasonsThatSomebodyMakesUp() {
    for (int i = 0; i < 5 * WindowCounts.MAX_KINDS; i++) {
      counts.add(letter(i, "REASON_" + i, "target-" + i, AT));
    }

    assertThat(counts.since(AT, 60_000, intake -> true))
        .hasSize(2 * WindowCounts.MAX_KINDS + 1)
        .last()
        .satisfies(count -> assertThat(count.reason()).isNotEqualTo(WindowCounts.OTHER));
    assertThat(counts.since(AT, 60_000, intake -> true).stream().mapToInt(Catalog.Count::count))
        .as("none is forgotten")
        .satisfies(all -> assertThat(all.stream().mapToInt(i -> i).sum()).isEqualTo(2500));
  }

  @Test
  void hoursOfMadeUpTargetsCostNoOtherMinuteItsPlaceOrItsTargets() {
    int minutes = 3 * WindowCounts.MAX_ENTRIES / WindowCounts.MAX_KINDS;
    counts.add(letter(1, "EXPIRED", "orders", AT));
    for (int minute = 1; minute <= minutes; minute++) {
      for (int i = 0; i < WindowCounts.MAX_KINDS; i++) {
        counts.add(letter(i, "UNKNOWN_TARGET", "made-up-" + i, AT + minute * WindowCounts.MINUTE));
      }
    }
    counts.add(letter(1, "EXPIRED", "orders", AT + (minutes + 1) * WindowCounts.MINUTE));

    List<Catalog.Count> all = counts.since(0, 60_000, intake -> true);
    assertThat(all).hasSizeLessThanOrEqualTo(WindowCounts.MAX_ENTRIES);
    assertThat(List.of(all.get(0), all.get(all.size() - 1)))
        .extracting(Catalog.Count::target)
        .containsOnly("orders");
    assertThat(all.stream().mapToInt(Catalog.Count::count).sum())
        .as("none is forgotten")
        .isEqualTo(2 + minutes * WindowCounts.MAX_KINDS);
  }

  @Test
  void theOldestMinutesGoIfManyMinutesHaveManyReasons() {
    int minutes = 3 * WindowCounts.MAX_ENTRIES / WindowCounts.MAX_KINDS;
    for (int minute = 0; minute < minutes; minute++) {
      for (int i = 0; i < WindowCounts.MAX_KINDS; i++) {
        counts.add(letter(i, "REASON_" + i, "orders", AT + minute * WindowCounts.MINUTE));
      }
    }
    counts.add(letter(1, "EXPIRED", "one of a minute that is gone", AT));

    assertThat(counts.since(0, 60_000, intake -> true))
        .hasSizeLessThanOrEqualTo(WindowCounts.MAX_ENTRIES)
        .hasSizeGreaterThan(WindowCounts.MAX_ENTRIES - WindowCounts.MAX_KINDS)
        .extracting(Catalog.Count::target)
        .doesNotContain("one of a minute that is gone");
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
