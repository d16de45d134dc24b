package io.delaybridge.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.RetryMark.Kind;
import io.delaybridge.schemas.StoredMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryMarkTest {

  /** Copies that are on the intake when the bridge is replaced must stay readable. */
  @Test
  void aMarkIsWrittenInTheFormOfVersionOne() {
    assertThat(new RetryMark(Kind.AGAIN, 5, 2, 1_760_000_001_000L, 1_760_000_009_000L))
        .hasToString("v1|5|2|1760000001000|1760000009000");
  }

  @Test
  void aMarkWithoutExpiryIsWrittenWithADash() {
    assertThat(new RetryMark(Kind.AGAIN, 5, 2, 1_760_000_001_000L, StoredMessage.NO_EXPIRY))
        .hasToString("v1|5|2|1760000001000|-");
  }

  @ParameterizedTest
  @CsvSource({"AGAIN, -1, v1|7|3|9|-", "LAP, -1, v2|7|3|9|-", "INSTEAD, 8, v3|7|3|9|-|8"})
  void eachKindHasAVersion(Kind kind, long seen, String text) {
    RetryMark mark = new RetryMark(kind, 7, 3, 9, StoredMessage.NO_EXPIRY, seen);

    assertThat(mark).hasToString(text);
    assertThat(RetryMark.parse(text)).contains(mark);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v1",
        "v4|5|2|1|-",
        "v0|5|2|1|-",
        "v3|5|2|1|-",
        "v1|5|2|1|-|8",
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
