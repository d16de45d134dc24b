package io.delaybridge.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceTest {

  @Test
  void aSourceIsReadAsItIsWritten() {
    Source message = new Source("delay-intake", 3, 5);
    Source occurrence = new Source("delay-intake", 3, 999_999_999_999_999_999L, 2);

    assertThat(Source.parse(message.toString())).contains(message);
    assertThat(Source.parse(occurrence.toString())).contains(occurrence);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "in", "in/0", "in/0/", "/0/1", "in/0/1/2", "in/0/1-0", "in/0/1-", "in/-1/1"})
  void anythingElseIsNoSource(String text) {
    assertThat(Source.parse(text)).isEmpty();
  }

  @Test
  void aNumberThatIsTooLargeIsNoSource() {
    assertThat(Source.parse("in/1234567890/1")).isEmpty();
    assertThat(Source.parse("in/0/1234567890123456789")).isEmpty();
    assertThat(Source.parse("in/0/1-1234567890")).isEmpty();
  }
}
