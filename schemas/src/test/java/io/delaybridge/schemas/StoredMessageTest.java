package io.delaybridge.schemas;

import static io.delaybridge.schemas.Messages.far;
import static io.delaybridge.schemas.Messages.later;
import static io.delaybridge.schemas.Messages.malformed;
import static io.delaybridge.schemas.Messages.plain;
import static io.delaybridge.schemas.Messages.withHeaders;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredMessageTest {

  private static final long EXPIRES_AT = 1_772_352_000_000L;

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void attemptsAreCountedFromOne(int attempt) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> later(attempt, 0, EXPIRES_AT, 7))
        .withMessage("attempt must be at least 1, is " + attempt);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  void theNumberOfAttemptsIsNotNegative(int maxAttempts) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> later(1, maxAttempts, EXPIRES_AT, 7))
        .withMessage("maxAttempts must be at least 0, is " + maxAttempts);
  }

  @ParameterizedTest
  @ValueSource(longs = {-2, Long.MIN_VALUE})
  void theOriginIsAnOffsetOrTheRecordItself(long origin) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> later(1, 0, EXPIRES_AT, origin))
        .withMessage("origin must be an offset or SELF (-1), is " + origin);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void nothingIsFarBefore1970(long farDue) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> far(farDue, 7))
        .withMessage("farDue must be at least 0, is " + farDue);
  }

  @ParameterizedTest
  @ValueSource(longs = {-2, Long.MIN_VALUE})
  void aCopyIsReadAtAnOffsetOrAtItsOwn(long readAt) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> far(StoredMessage.NEAR, readAt))
        .withMessage("readAt must be an offset or SELF (-1), is " + readAt);
  }

  @Test
  void theTextTellsOfTheLaterTopic() {
    assertThat(far(900, 7).toString()).endsWith(", farDue=900, readAt=7]");
  }

  @Test
  void aDetailNeedsAReason() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> malformed(null, "delay-ms is not a number"))
        .withMessage("there must be no detail without a reason");
  }

  @Test
  void theHeadersDoNotChangeWithTheListTheyCameFrom() {
    List<StoredHeader> source = new ArrayList<>(List.of(new StoredHeader("a", null)));
    StoredMessage message =
        new StoredMessage(
            null,
            null,
            source,
            1,
            0,
            EXPIRES_AT,
            7,
            null,
            null,
            null,
            0,
            StoredMessage.NEAR,
            StoredMessage.SELF);

    source.clear();

    assertThat(message.headers()).containsExactly(new StoredHeader("a", null));
  }

  @Test
  void theHeadersCanNotBeChanged() {
    List<StoredHeader> headers = withHeaders(new StoredHeader("a", null)).headers();

    assertThatThrownBy(headers::clear).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void messagesWithEqualBytesAreEqual() {
    assertThat(full()).isEqualTo(full()).hasSameHashCodeAs(full());
  }

  @ParameterizedTest
  @MethodSource("messagesThatDifferFromFullInOnePart")
  void messagesThatDifferInOnePartAreNotEqual(StoredMessage other) {
    assertThat(other).isNotEqualTo(full());
  }

  @Test
  void aNullKeyIsNotAnEmptyOne() {
    assertThat(plain(null, null)).isNotEqualTo(plain(new byte[0], null));
  }

  @Test
  void theTextShowsSizesAndNoPayload() {
    assertThat(full())
        .hasToString(
            "StoredMessage[key=3 bytes, value=6 bytes,"
                + " headers=[StoredHeader[name=a, value=5 bytes]], attempt=2, maxAttempts=5,"
                + " expiresAt=1772352000000, origin=7, reason=INVALID_TTL, detail=why, ask=null]");
  }

  @Test
  void theTextNamesWhatIsNotSet() {
    assertThat(plain(null, null))
        .hasToString(
            "StoredMessage[key=null, value=null, headers=[], attempt=1, maxAttempts=0,"
                + " expiresAt=never, origin=self, reason=null, detail=null, ask=null]");
  }

  private static StoredMessage full() {
    return new StoredMessage(
        bytes("key"),
        bytes("secret"),
        headers(),
        2,
        5,
        EXPIRES_AT,
        7,
        Reason.INVALID_TTL,
        "why",
        null,
        0,
        StoredMessage.NEAR,
        StoredMessage.SELF);
  }

  static Stream<StoredMessage> messagesThatDifferFromFullInOnePart() {
    byte[] k = bytes("key");
    byte[] v = bytes("secret");
    List<StoredHeader> h = headers();
    long t = EXPIRES_AT;
    Reason r = Reason.INVALID_TTL;
    return Stream.of(
        new StoredMessage(
            bytes("kez"),
            v,
            h,
            2,
            5,
            t,
            7,
            r,
            "why",
            null,
            0,
            StoredMessage.NEAR,
            StoredMessage.SELF),
        new StoredMessage(
            k,
            bytes("secreu"),
            h,
            2,
            5,
            t,
            7,
            r,
            "why",
            null,
            0,
            StoredMessage.NEAR,
            StoredMessage.SELF),
        new StoredMessage(
            k, v, List.of(), 2, 5, t, 7, r, "why", null, 0, StoredMessage.NEAR, StoredMessage.SELF),
        new StoredMessage(
            k, v, h, 3, 5, t, 7, r, "why", null, 0, StoredMessage.NEAR, StoredMessage.SELF),
        new StoredMessage(
            k, v, h, 2, 6, t, 7, r, "why", null, 0, StoredMessage.NEAR, StoredMessage.SELF),
        new StoredMessage(
            k, v, h, 2, 5, t + 1, 7, r, "why", null, 0, StoredMessage.NEAR, StoredMessage.SELF),
        new StoredMessage(
            k, v, h, 2, 5, t, 8, r, "why", null, 0, StoredMessage.NEAR, StoredMessage.SELF),
        new StoredMessage(
            k,
            v,
            h,
            2,
            5,
            t,
            7,
            Reason.INVALID_ID,
            "why",
            null,
            0,
            StoredMessage.NEAR,
            StoredMessage.SELF),
        new StoredMessage(
            k, v, h, 2, 5, t, 7, r, "why not", null, 0, StoredMessage.NEAR, StoredMessage.SELF),
        new StoredMessage(
            k, v, h, 2, 5, t, 7, r, "why", null, 1, StoredMessage.NEAR, StoredMessage.SELF),
        new StoredMessage(k, v, h, 2, 5, t, 7, r, "why", null, 0, 1, StoredMessage.SELF),
        new StoredMessage(k, v, h, 2, 5, t, 7, r, "why", null, 0, StoredMessage.NEAR, 0));
  }

  private static List<StoredHeader> headers() {
    return List.of(new StoredHeader("a", bytes("value")));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
