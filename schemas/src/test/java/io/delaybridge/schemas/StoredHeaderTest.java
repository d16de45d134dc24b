package io.delaybridge.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoredHeaderTest {

  @Test
  void headersWithEqualBytesAreEqual() {
    assertThat(new StoredHeader("a", new byte[] {1, 2}))
        .isEqualTo(new StoredHeader("a", new byte[] {1, 2}))
        .hasSameHashCodeAs(new StoredHeader("a", new byte[] {1, 2}));
  }

  @Test
  void headersWithOtherBytesAreNotEqual() {
    assertThat(new StoredHeader("a", new byte[] {1, 2}))
        .isNotEqualTo(new StoredHeader("a", new byte[] {1, 3}));
  }

  @Test
  void headersWithOtherNamesAreNotEqual() {
    assertThat(new StoredHeader("a", null)).isNotEqualTo(new StoredHeader("b", null));
  }

  @Test
  void aNullValueIsNotAnEmptyOne() {
    assertThat(new StoredHeader("a", null)).isNotEqualTo(new StoredHeader("a", new byte[0]));
  }

  @Test
  void theTextShowsTheSizeOfTheValueOnly() {
    assertThat(new StoredHeader("a", "secret".getBytes(UTF_8)))
        .hasToString("StoredHeader[name=a, value=6 bytes]");
    assertThat(new StoredHeader("a", null)).hasToString("StoredHeader[name=a, value=null]");
  }
}
