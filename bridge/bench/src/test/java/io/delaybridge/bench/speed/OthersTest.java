package io.delaybridge.bench.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

class OthersTest {

  @Test
  void aResultIsReadFromItsLine() {
    assertThat(Others.parse("RESULT schedule=29400 p99.9=35.413 bytes=-1.5\n"))
        .containsExactly(entry("schedule", 29_400.0), entry("p99.9", 35.413), entry("bytes", -1.5));
  }

  @Test
  void aLineWithoutFiguresHasNone() {
    assertThat(Others.parse("RESULT")).isEmpty();
  }
}
