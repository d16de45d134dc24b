package io.delaybridge.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.StoredMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryMarkTest {

  /** Copies that are on the intake when the bridge is replaced must stay readable. */
  @Test
  void aMarkIsWrittenInTheFormOfVersionOne() {
    assertThat(new RetryMark(5, 2, 1_760_000_001_000L, 1_760_000_009_000L, false))
        .hasToString("v1|5|2|1760000001000|1760000009000");
  }

  @Test
  void aMarkWithoutExpiryIsWrittenWithADash() {
    assertThat(new RetryMark(5, 2, 1_760_000_001_000L, StoredMessage.NO_EXPIRY, false))
        .hasToString("v1|5|2|1760000001000|-");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v1",
        "v3|5|2|1|-",
        "v1|5|2|1",
        "v1|5|2|1|-|",
        "v1|5|0|1|-",
        "v1|-5|2|1|-",
        "v1|5|2|-1|-",
        "v1|5|2|1|-1",
        "v1|9999999999999999999|2|1|-",
        "v1|5|2147483648|1|-",
        " v1|5|2|1|-"
      })
  void anythingElseIsNoMark(String text) {
    assertThat(RetryMark.parse(text)).isEmpty();
  }
}
