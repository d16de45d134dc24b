package io.delaybridge.connect.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class OutcomeTest {

  private static final Instant NOW = Instant.parse("2026-03-01T09:00:00Z");

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 299})
  void twoHundredsAreAccepted(int status) {
    assertThat(Outcome.ofStatus(status, null)).isEqualTo(new Outcome.Accepted());
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 410, 413, 422, 499})
  void fourHundredsAreRefused(int status) {
    assertThat(Outcome.ofStatus(status, null))
        .isEqualTo(new Outcome.Refused("the receiver answered " + status));
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 307, 408, 429, 500, 502, 503, 504, 599})
  void theRestMaySucceedLater(int status) {
    Duration wait = Duration.ofSeconds(7);

    assertThat(Outcome.ofStatus(status, wait))
        .isEqualTo(new Outcome.Failed("the receiver answered " + status, wait));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "120, 120", "' 5 ', 5", "99999999999999999999, 315360000"})
  void retryAfterMayBeSeconds(String value, long seconds) {
    assertThat(RetryAfter.of(value, NOW)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource({
    "'Sun, 01 Mar 2026 09:00:30 GMT', 30",
    "'Sun, 01 Mar 2026 08:00:00 GMT', 0",
    "'Mon, 02 Mar 2026 09:00:00 GMT', 86400"
  })
  void retryAfterMayBeADate(String value, long seconds) {
    assertThat(RetryAfter.of(value, NOW)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {"soon", "-1", "1.5", "2026-03-01T09:00:30Z", "Thu, 30 Feb 2030 09:00:00 GMT"})
  void anUnreadableRetryAfterIsNone(@Nullable String value) {
    assertThat(RetryAfter.of(value, NOW)).isNull();
  }

  @Test
  void theSignatureIsAnHmacOverTimeAndBody() {
    // printf '1795246327.{"order": 4711}' | openssl dgst -sha256 -hmac secret
    assertThat(new Signature("secret").of("{\"order\": 4711}".getBytes(UTF_8), 1_795_246_327))
        .isEqualTo(
            "t=1795246327,v1=e81c7b3bf5abeec94022acad8a7796ff7dd5d70ab0b7a89967069f8563375d5f");
  }
}
