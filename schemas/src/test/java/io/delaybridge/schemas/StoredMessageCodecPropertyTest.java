package io.delaybridge.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delaybridge.schemas.proto.StoredAskProto;
import io.delaybridge.schemas.proto.StoredMessageProto;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Properties that hold for every message and for any bytes. jqwik prints the seed of a failing run.
 */
class StoredMessageCodecPropertyTest {

  private static final long DUE = 1_790_000_000_000L;
  private static final long OFFSET = 117;

  @Property
  void everyMessageIsReadAsItWasWritten(@ForAll("messages") StoredMessage message)
      throws CorruptMessageException {
    assertThat(
            StoredMessageCodec.decode(StoredMessageCodec.encode(message, DUE, OFFSET), DUE, OFFSET))
        .isEqualTo(message);
  }

  @Property
  void anyBytesAreAMessageOrCorrupt(@ForAll byte[] bytes) throws CorruptMessageException {
    assertValidOrCorrupt(bytes);
  }

  /** An ask is read before its checksum can be known. */
  @Property
  void anAskOfAnyNumbersIsCorruptUnlessItFitsItsChecksum(
      @ForAll @IntRange(max = 9) int verb,
      @ForAll long offset,
      @ForAll long due,
      @ForAll long moveTo,
      @ForAll boolean inVain) {
    StoredAskProto ask =
        StoredAskProto.newBuilder()
            .setVerb(verb)
            .setOffset(offset)
            .setDue(due)
            .setMoveTo(moveTo)
            .setInVain(inVain)
            .build();
    byte[] proto = StoredMessageProto.newBuilder().setAsk(ask).build().toByteArray();
    byte[] bytes = ByteBuffer.allocate(1 + proto.length).put((byte) 4).put(proto).array();

    assertThatExceptionOfType(CorruptMessageException.class)
        .isThrownBy(() -> StoredMessageCodec.decode(bytes, -1, OFFSET + 5));
  }

  /** Few random bytes pass version and checksum, so give both to them. */
  @Property
  void anyBytesWithTheirChecksumAreAMessageOrCorrupt(@ForAll byte[] bytes)
      throws CorruptMessageException {
    ByteBuffer checked =
        ByteBuffer.allocate(2 + bytes.length + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C checksum = new CRC32C();
    checksum.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(DUE).putLong(OFFSET).flip());
    checksum.update(bytes);

    assertValidOrCorrupt(
        checked
            .put((byte) 4)
            .put(bytes)
            .put((byte) 0x7d)
            .putInt((int) checksum.getValue())
            .array());
  }

  @Property
  void aMessageWithOneByteChangedIsCorrupt(
      @ForAll("messages") StoredMessage message,
      @ForAll @IntRange int where,
      @ForAll @IntRange(min = 1, max = 255) int by) {
    byte[] bytes = StoredMessageCodec.encode(message, DUE, OFFSET);
    bytes[where % bytes.length] ^= (byte) by;

    assertThatExceptionOfType(CorruptMessageException.class)
        .isThrownBy(() -> StoredMessageCodec.decode(bytes, DUE, OFFSET));
  }

  @Property
  void aMessageUnderAnotherKeyIsCorrupt(
      @ForAll("messages") StoredMessage message, @ForAll long due, @ForAll long offset) {
    Assume.that(due != DUE || offset != OFFSET);
    byte[] bytes = StoredMessageCodec.encode(message, DUE, OFFSET);

    assertThatExceptionOfType(CorruptMessageException.class)
        .isThrownBy(() -> StoredMessageCodec.decode(bytes, due, offset));
  }

  @Property
  void aMessageWithAnAskIsReadAsItWasWrittenAndOneByteChangedIsCorrupt(
      @ForAll("messages") StoredMessage message,
      @ForAll boolean move,
      @ForAll @IntRange int where,
      @ForAll @IntRange(min = 1, max = 255) int by)
      throws CorruptMessageException {
    StoredMessage asked =
        message.askedBy(
            move
                ? new StoredAsk(StoredAsk.Verb.MOVE, OFFSET, DUE, DUE + 1_000)
                : new StoredAsk(StoredAsk.Verb.CANCEL, OFFSET, DUE, 0));
    byte[] bytes = StoredMessageCodec.encode(asked, -1, OFFSET + 5);
    assertThat(StoredMessageCodec.decode(bytes, -1, OFFSET + 5)).isEqualTo(asked);
    bytes[where % bytes.length] ^= (byte) by;

    assertThatExceptionOfType(CorruptMessageException.class)
        .isThrownBy(() -> StoredMessageCodec.decode(bytes, -1, OFFSET + 5));
  }

  @Property
  void aMessageThatWasCutIsCorrupt(
      @ForAll("messages") StoredMessage message, @ForAll @IntRange int where) {
    byte[] bytes = StoredMessageCodec.encode(message, DUE, OFFSET);
    byte[] cut = Arrays.copyOf(bytes, where % bytes.length);

    assertThatExceptionOfType(CorruptMessageException.class)
        .isThrownBy(() -> StoredMessageCodec.decode(cut, DUE, OFFSET));
  }

  /**
   * Any other exception fails the property; what is read must be something that can be written and
   * read again.
   */
  private static void assertValidOrCorrupt(byte[] bytes) throws CorruptMessageException {
    StoredMessage message;
    try {
      message = StoredMessageCodec.decode(bytes, DUE, OFFSET);
    } catch (CorruptMessageException e) {
      assertThat(e).hasMessageNotContaining("null");
      return;
    }
    assertThat(
            StoredMessageCodec.decode(StoredMessageCodec.encode(message, DUE, OFFSET), DUE, OFFSET))
        .isEqualTo(message);
  }

  @Provide
  Arbitrary<StoredMessage> messages() {
    return Combinators.combine(
            payloads(),
            payloads(),
            headers(),
            Arbitraries.integers().greaterOrEqual(1),
            Arbitraries.integers().greaterOrEqual(0),
            Arbitraries.longs(),
            Arbitraries.longs().greaterOrEqual(StoredMessage.SELF),
            Arbitraries.of(Reason.class).injectNull(0.5))
        .flatAs(
            (key, value, headers, attempt, maxAttempts, expiresAt, origin, reason) ->
                Combinators.combine(
                        texts().injectNull(0.3),
                        Arbitraries.longs().greaterOrEqual(0),
                        Arbitraries.longs().greaterOrEqual(StoredMessage.NEAR),
                        Arbitraries.longs().greaterOrEqual(StoredMessage.SELF))
                    .as(
                        (detail, writtenAt, farDue, readAt) ->
                            new StoredMessage(
                                key,
                                value,
                                headers,
                                attempt,
                                maxAttempts,
                                expiresAt,
                                origin,
                                reason,
                                reason == null ? null : detail,
                                null,
                                writtenAt,
                                farDue,
                                readAt)));
  }

  /** In any order, and often in that of records: a target, then a time. */
  private static Arbitrary<List<StoredHeader>> headers() {
    Arbitrary<String> names =
        Arbitraries.oneOf(
            texts(),
            Arbitraries.of(DelayHeaders.ID, DelayHeaders.TARGET_TOPIC),
            Arbitraries.of(
                DelayHeaders.DELAY_MS, DelayHeaders.DELAY_DURATION, DelayHeaders.DELIVER_AT));
    Arbitrary<byte[]> values =
        Arbitraries.oneOf(
            payloads(), Arbitraries.of(DUE, -1L).map(due -> Long.toString(due).getBytes(UTF_8)));
    return Combinators.combine(names, values)
        .as(StoredHeader::new)
        .list()
        .ofMaxSize(5)
        .flatMap(
            all ->
                Arbitraries.of(true, false)
                    .map(sorted -> sorted ? StoredMessageCodecPropertyTest.sorted(all) : all));
  }

  private static List<StoredHeader> sorted(List<StoredHeader> headers) {
    return headers.stream()
        .sorted(Comparator.comparing(StoredHeader::name, Comparator.reverseOrder()))
        .toList();
  }

  private static Arbitrary<byte[]> payloads() {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(300).injectNull(0.1);
  }

  /** Text that has a UTF-8 form: no half characters, but whole ones outside the basic plane. */
  private static Arbitrary<String> texts() {
    Arbitrary<Integer> codePoints =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 0x7f),
            Arbitraries.integers().between(0, 0xd7ff),
            Arbitraries.integers().between(0xe000, 0x10ffff));
    return codePoints
        .list()
        .ofMaxSize(20)
        .map(
            points -> {
              StringBuilder text = new StringBuilder();
              points.forEach(text::appendCodePoint);
              return text.toString();
            });
  }
}
