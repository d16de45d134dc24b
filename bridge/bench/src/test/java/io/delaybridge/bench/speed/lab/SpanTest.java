package io.delaybridge.bench.speed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpanTest {

  @Test
  void theRateCountsFromTheFirstToTheLastWhateverTheirOrder() {
    Span span = Span.NONE.with(2_000).with(1_000).with(3_000);
    assertThat(span.count()).isEqualTo(3);
    assertThat(span.rate()).isEqualTo(1);
  }
}
