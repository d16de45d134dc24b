package io.delaybridge.admin.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TotalsTest {

  /** 300 and 301 ms share a cell of the histogram. */
  @Test
  void theBucketsAddUp() {
    Histogram histogram = new Histogram(Tally.DIGITS);
    histogram.recordValue(300);

    assertThat(Totals.buckets(histogram).stream().mapToLong(Long::longValue).sum()).isEqualTo(1);
  }
}
