package io.delaybridge.schemas;

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
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
          null);

  /** The parts of {@link #FULL}, worked out by hand from the Protobuf encoding. */
  private static final String FULL_HEX =
      "01" // version
          + "0a016b" // key
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
        Arguments.of("nothing but defaults", plain(null, null), "01"),
        Arguments.of("empty is not null", plain(new byte[0], new byte[0]), "010a001200"),
        Arguments.of("key and value", plain(bytes("k"), bytes("hello")), "010a016b120568656c6c6f"),
        Arguments.of(
            "headers in their order",
            withHeaders(new StoredHeader("b", null), new StoredHeader("a", new byte[0])),
            "011a030a0162" + "1a050a01611200"),
        Arguments.of(
            "the largest numbers",
            later(Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE),
            "0120ffffffff07" + "28ffffffff07" + "30feffffffffffffff7f" + "38ffffffffffffffff7f"),
        Arguments.of(
            "zero where zero is not the default", later(1, 0, 0, 0), "01" + "3000" + "3800"),
        Arguments.of("expired before 1970", later(1, 0, -1, -1), "01" + "30ffffffffffffffffff01"),
        Arguments.of("a reason alone", malformed(Reason.NO_TARGET, null), "014001"),
        Arguments.of("an empty detail", malformed(Reason.NO_TARGET, ""), "0140014a00"),
        Arguments.of("every field", FULL, FULL_HEX));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("golden")
  void theBytesOfAMessageStayTheSameForever(String name, StoredMessage message, String hex) {
    assertThat(hex(StoredMessageCodec.encode(message, DUE, OFFSET)))
        .isEqualTo(checked(hex.substring(2)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("golden")
  void bytesThatWereStoredLongAgoAreStillRead(String name, StoredMessage message, String hex)
      throws CorruptMessageException {
    assertThat(StoredMessageCodec.decode(unhex(hex), DUE, OFFSET)).isEqualTo(message);
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
    assertThatExceptionOfType(CorruptMessageException.class)
        .as("a later release does not write version 1")
        .isThrownBy(() -> StoredMessageCodec.decode(unhex("01" + known + field), DUE, OFFSET))
        .withMessageContaining("no release has written these bytes");
  }

  /** The bytes of version 2 around these, for the key of this test. */
  private static String checked(String hex) {
    CRC32C checksum = new CRC32C();
    checksum.update(unhex("%016x%016x".formatted(DUE, OFFSET) + hex));
    return "02%08x".formatted(checksum.getValue()) + hex;
  }

  @Test
  void theChecksumIsThatOfTheKeyAndOfTheBytes() {
    assertThat(
            hex(
                StoredMessageCodec.encode(
                    plain(bytes("k"), bytes("hello")), 1_790_000_000_000L, 117)))
        .isEqualTo("02ac431c9c0a016b120568656c6c6f");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "nothing at all,               '',                  no version byte",
    "version 0,                    00,                  unknown version 0",
    "version 3,                    030a016b,            unknown version 3",
    "a cut checksum,               020a016b,            cut within the checksum",
    "another checksum,             02000000000a016b,    the checksum is that of other bytes",
    "version 255,                  ff,                  unknown version 255",
    "attempt 0,                    012000,              attempt must be at least 1",
    "attempt beyond an int,        0120ffffffff0f,      attempt must be at least 1",
    "negative maximum,             0128ffffffff0f,      maxAttempts must be at least 0",
    "origin below 0,               0138ffffffffffffffffff01, origin is not an offset: -1",
    "a reason not in use,          014063,              unknown reason number 99",
    "a verb not in use,            015202087f,          unknown verb number 127",
    "no verb,                      015200,              unknown verb number 0",
    "a negative offset of an ask,  01520d080110ffffffffffffffffff01, an ask has no negative numbers",
    "a reason beyond an int,       0140ffffffff0f,      unknown reason number 4294967295",
    "detail without reason,        014a0161,            no detail without a reason",
    "detail that is not UTF-8,     0140014a01ff,        are not a stored message",
    "header name that is not UTF-8, 011a030a01ff,       are not a stored message",
    "field number 0,               010000,              are not a stored message",
    "wire type 7,                  010f,                are not a stored message",
    "end of a group,               010a016b7c,          are not a stored message",
    "end of a group at a known field, 010a016b0c120568656c6c6f, are not a stored message",
    "a group without end,          017b0801,            are not a stored message",
    "a size beyond the end,        010a05,              are not a stored message",
    "a negative size,              010affffffffffffffffff01, are not a stored message",
    "a number without end,         0120ffffffffffffffffffff01, are not a stored message"
  })
  void whatIsNotAValidMessageIsCorrupt(String name, String hex, String message) {
    assertThatExceptionOfType(CorruptMessageException.class)
        .isThrownBy(() -> StoredMessageCodec.decode(unhex(hex), DUE, OFFSET))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theSuffixOfAnAskTurnsAMessageIntoTheAskedOne(boolean old) throws CorruptMessageException {
    StoredMessage message = plain(bytes("k"), bytes("hello"));
    StoredAsk ask = new StoredAsk(StoredAsk.Verb.MOVE, OFFSET, DUE, 2_000);
    byte[] whole =
        old ? unhex("010a016b120568656c6c6f") : StoredMessageCodec.encode(message, DUE, OFFSET);
    byte[] joined = unhex(hex(whole) + hex(StoredMessageCodec.suffix(ask, 200)));

    assertThat(StoredMessageCodec.decode(joined, -1, 200)).isEqualTo(message.askedBy(ask));
    if (!old) {
      assertThat(joined).isEqualTo(StoredMessageCodec.encode(message.askedBy(ask), -1, 200));
    }
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

  @Test
  void groupsNestedBeyondAllMeasureAreCorrupt() {
    byte[] bytes = new byte[100_001];
    Arrays.fill(bytes, (byte) 0x7b);
    bytes[0] = 1;

    assertThatExceptionOfType(CorruptMessageException.class)
        .isThrownBy(() -> StoredMessageCodec.decode(bytes, DUE, OFFSET));
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
