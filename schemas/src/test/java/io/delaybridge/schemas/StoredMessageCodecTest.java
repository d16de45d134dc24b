package io.delaybridge.schemas;

import static io.delaybridge.schemas.Messages.far;
import static io.delaybridge.schemas.Messages.late;
import static io.delaybridge.schemas.Messages.later;
import static io.delaybridge.schemas.Messages.malformed;
import static io.delaybridge.schemas.Messages.plain;
import static io.delaybridge.schemas.Messages.withHeaders;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StoredMessageCodecTest {

  private static final long DUE = 1_790_000_000_000L;
  private static final long OFFSET = 117;

  private static final StoredMessage FULL =
      new StoredMessage(
          bytes("k"),
          bytes("hello"),
          List.of(
              new StoredHeader("a", bytes("1")),
              new StoredHeader("", new byte[0]),
              new StoredHeader("a", null)),
          3,
          300,
          1_772_352_000_000L,
          4_294_967_296L,
          Reason.UNREADABLE_DUE_TIME,
          "über",
          null,
          0,
          StoredMessage.NEAR,
          StoredMessage.SELF);

  /** The parts of {@link #FULL}, worked out by hand from the Protobuf encoding. */
  private static final String FULL_HEX =
      "0a016b" // key
          + "120568656c6c6f" // value
          + "1a060a0161120131" // header a: 1
          + "1a021200" // header without name: empty
          + "1a030a0161" // header a: null
          + "2003" // attempt 3
          + "28ac02" // at most 300
          + "3080a0a5c3ca33" // expires at
          + "388080808010" // origin
          + "400b" // reason 11
          + "4a05c3bc626572"; // detail

  static Stream<Arguments> golden() {
    return Stream.of(
        Arguments.of("nothing but defaults", plain(null, null), ""),
        Arguments.of("empty is not null", plain(new byte[0], new byte[0]), "0a001200"),
        Arguments.of("key and value", plain(bytes("k"), bytes("hello")), "0a016b120568656c6c6f"),
        Arguments.of(
            "headers in their order",
            withHeaders(new StoredHeader("b", null), new StoredHeader("a", new byte[0])),
            "1a030a0162" + "1a050a01611200"),
        Arguments.of(
            "headers with a number",
            withHeaders(
                new StoredHeader("delay-target-topic", bytes("t")),
                new StoredHeader("delay-id", bytes("i")),
                new StoredHeader("tracestate", null)),
            "1a0d" + "0a0864656c61792d6964" + "120169" + "1a02" + "1812" + "5a0174"),
        Arguments.of(
            "headers that most messages begin with",
            withHeaders(
                header("delay-target-topic", "t"),
                header("delay-ms", "5"),
                header("delay-duration", ""),
                header("delay-deliver-at", "7"),
                header("delay-ms", "6")),
            "1a05120136" + "1802" + "5a0174" + "620135" + "6a00" + "720137"),
        Arguments.of(
            "in another order",
            withHeaders(header("delay-ms", "5"), header("delay-target-topic", "t")),
            "1a05120174" + "1801" + "620135"),
        Arguments.of(
            "behind another one",
            withHeaders(header("a", ""), header("delay-ms", "5")),
            "1a050a01611200" + "1a05120135" + "1802"),
        Arguments.of(
            "without a value",
            withHeaders(new StoredHeader("delay-target-topic", null)),
            "1a021801"),
        Arguments.of(
            "the due time itself",
            withHeaders(header("delay-deliver-at", Long.toString(DUE))),
            "7200"),
        Arguments.of(
            "no time at all, which is not the due time",
            withHeaders(header("delay-deliver-at", "")),
            "1a041200" + "1804"),
        Arguments.of(
            "the largest numbers",
            later(Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE),
            "20ffffffff07" + "28ffffffff07" + "30feffffffffffffff7f" + "38ffffffffffffffff7f"),
        Arguments.of("zero where zero is not the default", later(1, 0, 0, 0), "3000" + "3800"),
        Arguments.of("written after it was due", late(300), "8001ac02"),
        Arguments.of("far", far(300, StoredMessage.SELF), "8801ac02"),
        Arguments.of("home from the later topic", far(StoredMessage.NEAR, 300), "9001ac02"),
        Arguments.of("home at offset 0", far(StoredMessage.NEAR, 0), "900100"),
        Arguments.of(
            "far away",
            far(Long.MAX_VALUE, Long.MAX_VALUE),
            "8801ffffffffffffffff7f" + "9001ffffffffffffffff7f"),
        Arguments.of("expired before 1970", later(1, 0, -1, -1), "30ffffffffffffffffff01"),
        Arguments.of("a reason alone", malformed(Reason.NO_TARGET, null), "4001"),
        Arguments.of("an empty detail", malformed(Reason.NO_TARGET, ""), "40014a00"),
        Arguments.of("every field", FULL, FULL_HEX));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("golden")
  void theBytesOfAMessageStayTheSameForever(String name, StoredMessage message, String hex)
      throws CorruptMessageException {
    assertThat(hex(StoredMessageCodec.encode(message, DUE, OFFSET))).isEqualTo(checked(hex));
    assertThat(StoredMessageCodec.decode(unhex(checked(hex)), DUE, OFFSET)).isEqualTo(message);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "a number,           f83f01",
    "bytes,              fa3f03010203",
    "four bytes,         fd3f01020304",
    "eight bytes,        f93f0102030405060708",
    "a group,            fb3f0801fc3f",
    "a field of headers, 1a070a0178920101ff"
  })
  void aFieldOfALaterReleaseIsIgnored(String name, String field) throws CorruptMessageException {
    boolean inHeader = field.startsWith("1a");
    StoredMessage expected =
        inHeader ? withHeaders(new StoredHeader("x", null)) : plain(bytes("k"), bytes("hello"));
    String known = inHeader ? "" : "0a016b120568656c6c6f";

    assertThat(StoredMessageCodec.decode(unhex(checked(known + field)), DUE, OFFSET))
        .isEqualTo(expected);
  }

  /** The bytes of version 4 around these, for the key of this test. */
  private static String checked(String hex) {
    CRC32C checksum = new CRC32C();
    checksum.update(unhex("%016x%016x".formatted(DUE, OFFSET) + hex));
    return "04" + hex + "7d%08x".formatted(Integer.reverseBytes((int) checksum.getValue()));
  }

  @Test
  void theChecksumIsThatOfTheKeyAndOfTheBytes() {
    assertThat(
            hex(
                StoredMessageCodec.encode(
                    plain(bytes("k"), bytes("hello")), 1_790_000_000_000L, 117)))
        .isEqualTo("04" + "0a016b120568656c6c6f" + "7d9c1c43ac");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "nothing at all, '', no version byte",
    "version 0, 00, unknown version 0",
    "version 1, 010a016b, unknown version 1",
    "version 3, 030a016b, unknown version 3",
    "version 5, 050a016b, unknown version 5",
    "a cut checksum, 047d000000, cut within the checksum",
    "another checksum, 040a016b7d00000000, the checksum is that of other bytes",
    "another field in its place, 040a016b75fd86f5e7, the checksum is that of other bytes",
    "version 255, ff, unknown version 255"
  })
  void whatHasAnotherVersionOrChecksumIsCorrupt(String name, String hex, String message) {
    assertCorrupt(hex, message);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "a header number not in use, 1a021813, unknown header number 19",
    "attempt 0, 2000, attempt must be at least 1",
    "attempt beyond an int, 20ffffffff0f, attempt must be at least 1",
    "negative maximum, 28ffffffff0f, maxAttempts must be at least 0",
    "origin below 0, 38ffffffffffffffffff01, origin is not an offset: -1",
    "read at below 0, 9001ffffffffffffffffff01, read_at is not an offset: -1",
    "read far below 0, 9001feffffffffffffffff01, read_at is not an offset: -2",
    "far before 1970, 8801ffffffffffffffffff01, farDue must be at least 0",
    "a reason not in use, 4063, unknown reason number 99",
    "a verb not in use, 5202087f, unknown verb number 127",
    "no verb, 5200, unknown verb number 0",
    "a negative offset of an ask, 520d080110ffffffffffffffffff01, an ask has no negative numbers",
    "a reason beyond an int, 40ffffffff0f, unknown reason number 4294967295",
    "detail without reason, 4a0161, no detail without a reason",
    "detail that is not UTF-8, 40014a01ff, are not a stored message",
    "header name that is not UTF-8, 1a030a01ff, are not a stored message",
    "field number 0, 0000, are not a stored message",
    "wire type 7, 0f, are not a stored message",
    "end of a group, 0a016b7c, are not a stored message",
    "end of a group at a known field, 0a016b0c120568656c6c6f, are not a stored message",
    "a group without end, 7b0801, are not a stored message",
    "a size beyond the end, 0a05, are not a stored message",
    "a negative size, 0affffffffffffffffff01, are not a stored message",
    "a number without end, 20ffffffffffffffffffff01, are not a stored message"
  })
  void whatIsNotAValidMessageIsCorrupt(String name, String hex, String message) {
    assertCorrupt(checked(hex), message);
  }

  private static void assertCorrupt(String hex, String message) {
    assertThatExceptionOfType(CorruptMessageException.class)
        .isThrownBy(() -> StoredMessageCodec.decode(unhex(hex), DUE, OFFSET))
        .withMessageContaining(message);
  }

  @Test
  void theSuffixOfAnAskTurnsAMessageIntoTheAskedOne() throws CorruptMessageException {
    StoredMessage message = plain(bytes("k"), bytes("hello"));
    StoredAsk ask = new StoredAsk(StoredAsk.Verb.MOVE, OFFSET, DUE, 2_000);
    byte[] whole = StoredMessageCodec.encode(message, DUE, OFFSET);
    byte[] joined = unhex(hex(whole) + hex(StoredMessageCodec.suffix(ask, 200)));

    assertThat(StoredMessageCodec.decode(joined, -1, 200)).isEqualTo(message.askedBy(ask));
    assertThat(joined).isEqualTo(StoredMessageCodec.encode(message.askedBy(ask), -1, 200));
  }

  @Test
  void theDueTimeOfAnAskedMessageIsThatOfTheMessage() throws CorruptMessageException {
    StoredMessage message = withHeaders(header("delay-deliver-at", Long.toString(DUE)));
    StoredAsk ask = new StoredAsk(StoredAsk.Verb.MOVE, OFFSET, DUE, 2_000);

    byte[] bytes = StoredMessageCodec.encode(message.askedBy(ask), -1, 200);

    assertThat(StoredMessageCodec.decode(bytes, -1, 200)).isEqualTo(message.askedBy(ask));
  }

  /** Lua looks at the last byte of a string, and at each n-th before it, n growing with it. */
  @Test
  void messagesThatDifferByTheirKeyOnlyDifferInTheirLastByteMoreOftenThanNot() {
    byte[] value = new byte[1_000];

    long last =
        LongStream.range(0, 1_000)
            .mapToObj(offset -> StoredMessageCodec.encode(plain(null, value), DUE, offset))
            .map(bytes -> bytes[bytes.length - 1])
            .distinct()
            .count();

    assertThat(last).isGreaterThan(200);
  }

  @Test
  void anAskUnderAnotherOffsetOrOfAnotherMessageIsCorrupt() {
    StoredMessage message = plain(bytes("k"), bytes("hello"));
    StoredAsk ask = new StoredAsk(StoredAsk.Verb.CANCEL, OFFSET, DUE, 0);
    byte[] asked = StoredMessageCodec.encode(message.askedBy(ask), -1, 200);
    byte[] other =
        unhex(
            hex(StoredMessageCodec.encode(message, DUE, OFFSET + 1))
                + hex(StoredMessageCodec.suffix(ask, 200)));

    for (byte[] bytes : List.of(asked, other)) {
      assertThatExceptionOfType(CorruptMessageException.class)
          .isThrownBy(() -> StoredMessageCodec.decode(bytes, -1, bytes == asked ? 201 : 200))
          .withMessageContaining("checksum");
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "shorter than it can be, 0452020801, the checksum is that of other bytes",
    "negative, 04520d080110ffffffffffffffffff01, an ask has no negative numbers",
    "without a verb, 045200, unknown verb number 0"
  })
  void anAskThatCanNotBeIsCorrupt(String name, String hex, String message) {
    assertThatExceptionOfType(CorruptMessageException.class)
        .isThrownBy(() -> StoredMessageCodec.decode(unhex(hex), -1, 200))
        .withMessageContaining(message);
  }

  @Test
  void groupsNestedBeyondAllMeasureAreCorrupt() {
    assertCorrupt(checked("7b".repeat(100_000)), "are not a stored message");
  }

  @Test
  void aValueThatWasCutIsCorruptWhereverTheCutIs() {
    byte[] bytes = StoredMessageCodec.encode(plain(null, bytes("hello")), DUE, OFFSET);

    for (int length = bytes.length - 1; length > 1; length--) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatExceptionOfType(CorruptMessageException.class)
          .as("cut to %d bytes", length)
          .isThrownBy(() -> StoredMessageCodec.decode(cut, DUE, OFFSET));
    }
  }

  @Test
  void whatIsDecodedDoesNotChangeWithTheBytesItCameFrom() throws CorruptMessageException {
    byte[] bytes = StoredMessageCodec.encode(FULL, DUE, OFFSET);
    StoredMessage message = StoredMessageCodec.decode(bytes, DUE, OFFSET);

    Arrays.fill(bytes, (byte) 0);

    assertThat(message).isEqualTo(FULL);
  }

  @Test
  void halfACharacterBecomesAQuestionMark() throws CorruptMessageException {
    StoredMessage cutText = malformed(Reason.INVALID_TTL, "\ud83d");

    byte[] bytes = StoredMessageCodec.encode(cutText, DUE, OFFSET);

    assertThat(StoredMessageCodec.decode(bytes, DUE, OFFSET).detail()).isEqualTo("?");
  }

  private static StoredHeader header(String name, String value) {
    return new StoredHeader(name, bytes(value));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] unhex(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
