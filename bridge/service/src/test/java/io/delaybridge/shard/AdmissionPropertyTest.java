package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Reading;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any sequence of changes against a naive model. */
class AdmissionPropertyTest {

  private static final int LOG = 40;

  private record Change(int offset, long limit, int logStart) {}

  /** The naive model has one limit per offset. The log start only moves forward. */
  @Property
  void everyOffsetOfTheLogHasTheLimitThatWasSaidLast(@ForAll("changes") List<Change> changes) {
    long[] model = new long[LOG];
    Arrays.fill(model, 1);
    Admission admission = Admission.of(Reading.latest(1, 0));
    int logStart = 0;
    for (Change change : changes) {
      logStart = Math.max(logStart, change.logStart);
      int offset = Math.max(logStart, change.offset);
      admission =
          admission.with(new Admission.Rule(offset, Reading.latest(change.limit, 0)), logStart);
      Arrays.fill(model, offset, LOG, change.limit);
      for (int i = logStart; i < LOG; i++) {
        assertThat(admission.at(i).longestDelay())
            .as("offset %d of %s", i, changes)
            .isEqualTo(model[i]);
      }
    }
  }

  @Property
  void rulesDoNotPileUpWhileTheLogMovesOn(@ForAll("changes") List<Change> changes) {
    Admission admission = Admission.of(Reading.latest(1, 0));
    int offset = 0;
    for (Change change : changes) {
      offset += 2;
      admission =
          admission.with(new Admission.Rule(offset, Reading.latest(change.limit, 0)), offset - 1);
    }
    assertThat(admission.rules()).hasSizeLessThanOrEqualTo(2);
  }

  @Provide
  Arbitrary<List<Change>> changes() {
    return Combinators.combine(
            Arbitraries.integers().between(0, LOG - 1),
            Arbitraries.longs().between(1, 4),
            Arbitraries.integers().between(0, LOG - 1))
        .as(Change::new)
        .list()
        .ofMaxSize(8);
  }
}
