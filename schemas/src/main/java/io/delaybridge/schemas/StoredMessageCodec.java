package io.delaybridge.schemas;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.delaybridge.schemas.StoredAsk.Verb;
import io.delaybridge.schemas.proto.StoredAskProto;
import io.delaybridge.schemas.proto.StoredMessageProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a {@link StoredMessage}: one version byte, then the Protobuf message {@code
 * StoredMessageProto}, whose last field is a checksum. Equal messages under equal keys have equal
 * bytes.
 *
 * <p>The checksum is the CRC-32C of the key and of the Protobuf bytes: a message whose bytes were
 * changed, or that is found under the due time or the offset of another one, is corrupt. The ask
 * that has taken the place of a message is not part of it but has a checksum of its own, so that a
 * store can append the one to the other. See ADR 15.
 *
 * <p>The checksum comes last because Lua, which Redis runs its scripts in, looks at every n-th byte
 * of a long string only, counted from its end, when it asks whether it has that string already.
 * Messages that differed in none of these would all be compared with each other. See ADR 25.
 */
public final class StoredMessageCodec {

  private static final byte VERSION = 4;
  private static final int BEGIN = 1;
  private static final byte CHECK_TAG =
      StoredMessageProto.CHECK_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_FIXED32;
  private static final int CHECK = 1 + Integer.BYTES;

  private StoredMessageCodec() {}

  /**
   * Returns the bytes of the message. An unpaired surrogate in a header name or in the detail has
   * no UTF-8 form and becomes {@code ?}.
   *
   * @param due the due time under which it is stored, epoch milliseconds; for an ask, the one that
   *     the store has for it
   * @param offset the intake offset under which it is stored
   */
  public static byte[] encode(StoredMessage message, long due, long offset) {
    return encode(message, due, offset, 0);
  }

  /**
   * As {@link #encode(StoredMessage, long, long)}, with room in front for data of the store, so
   * that a large value is not copied again.
   *
   * @param room number of zero bytes before the first byte of the message
   */
  public static byte[] encode(StoredMessage message, long due, long offset, int room) {
    StoredAsk ask = message.ask();
    return ask == null
        ? checked(message, due, offset, room)
        : concat(
            checked(message.askedBy(null), ask.due(), ask.offset(), room), suffix(ask, offset));
  }

  private static byte[] checked(StoredMessage message, long due, long offset, int room) {
    StoredMessageProto proto = toProto(message, due);
    int begin = room + BEGIN;
    byte[] bytes = new byte[begin + proto.getSerializedSize() + CHECK];
    int end = bytes.length - CHECK;
    CodedOutputStream output = CodedOutputStream.newInstance(bytes, begin, end - begin);
    try {
      proto.writeTo(output);
    } catch (IOException e) {
      throw new UncheckedIOException("an array of the exact size cannot be too small", e);
    }
    output.checkNoSpaceLeft();
    bytes[room] = VERSION;
    check(bytes, end).put(CHECK_TAG).putInt(checksum(bytes, begin, end, due, offset));
    return bytes;
  }

  /**
   * Returns the last field: its tag, then the checksum in the byte order of Protobuf, last byte
   * first.
   */
  private static ByteBuffer check(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes, at, CHECK).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns the bytes that, appended to those of a message, add this ask to it: Protobuf reads two
   * messages in a row as one. A store can therefore put an ask in the place of a message without
   * decoding either.
   *
   * @param offset of the ask, under which the two are then stored
   */
  public static byte[] suffix(StoredAsk ask, long offset) {
    StoredAskProto unchecked = toProto(ask);
    byte[] bytes = unchecked.toByteArray();
    StoredAskProto checked =
        unchecked.toBuilder().setCheck(checksum(bytes, 0, bytes.length, 0, offset)).build();
    return StoredMessageProto.newBuilder().setAsk(checked).build().toByteArray();
  }

  private static int checksum(byte[] bytes, int begin, int end, long due, long offset) {
    CRC32C checksum = new CRC32C();
    checksum.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(due).putLong(offset).flip());
    checksum.update(bytes, begin, end - begin);
    return (int) checksum.getValue();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /**
   * Returns the message with these bytes. Fields of a later release are ignored.
   *
   * @param due as for {@link #encode}
   * @param offset as for {@link #encode}
   * @throws CorruptMessageException if the version is unknown, the checksum is that of other bytes
   *     or of another key, the bytes are not what Protobuf writes, or a value is not valid
   */
  public static StoredMessage decode(byte[] bytes, long due, long offset)
      throws CorruptMessageException {
    return decode(bytes, 0, due, offset);
  }

  /**
   * As {@link #decode(byte[], long, long)}, from this index on. The bytes before it belong to the
   * store.
   *
   * @param from index of the first byte of the message, at most the length
   */
  public static StoredMessage decode(byte[] bytes, int from, long due, long offset)
      throws CorruptMessageException {
    if (bytes.length == from) {
      throw new CorruptMessageException("no version byte: the stored message is empty");
    }
    if (bytes[from] != VERSION) {
      throw new CorruptMessageException(
          "unknown version %d, this release reads %d"
              .formatted(Byte.toUnsignedInt(bytes[from]), VERSION));
    }
    int begin = from + BEGIN;
    if (due >= 0) {
      return checked(bytes, begin, bytes.length, due, offset);
    }
    // Only asks have such a due time.
    StoredMessageProto proto = parse(bytes, begin, bytes.length);
    return proto.hasAsk()
        ? asked(bytes, begin, ask(proto.getAsk()), offset)
        : checked(bytes, begin, bytes.length, due, offset);
  }

  private static StoredMessage asked(byte[] bytes, int begin, StoredAsk ask, long offset)
      throws CorruptMessageException {
    byte[] suffix = suffix(ask, offset);
    int end = bytes.length - suffix.length;
    if (end < begin || !Arrays.equals(bytes, end, bytes.length, suffix, 0, suffix.length)) {
      throw damaged();
    }
    return checked(bytes, begin, end, ask.due(), ask.offset()).askedBy(ask);
  }

  private static StoredMessage checked(byte[] bytes, int begin, int end, long due, long offset)
      throws CorruptMessageException {
    int at = end - CHECK;
    if (at < begin) {
      throw new CorruptMessageException("cut within the checksum");
    }
    ByteBuffer check = check(bytes, at);
    if (check.get() != CHECK_TAG || check.getInt() != checksum(bytes, begin, at, due, offset)) {
      throw damaged();
    }
    return fromProto(parse(bytes, begin, at), due);
  }

  private static CorruptMessageException damaged() {
    return new CorruptMessageException(
        "the checksum is that of other bytes, or of another due time or offset");
  }

  private static StoredMessageProto parse(byte[] bytes, int begin, int end)
      throws CorruptMessageException {
    CodedInputStream input =
        UnsafeByteOperations.unsafeWrap(bytes, begin, end - begin).newCodedInput();
    // Payloads are copied once, when they leave the Protobuf message, instead of twice.
    input.enableAliasing(true);
    try {
      return StoredMessageProto.parseFrom(input);
    } catch (IOException e) {
      throw new CorruptMessageException(
          "the " + (end - begin) + " bytes are not a stored message: " + e.getMessage(), e);
    }
  }

  private static StoredMessageProto toProto(StoredMessage message, long due) {
    StoredMessageProto.Builder proto = StoredMessageProto.newBuilder();
    byte[] key = message.key();
    if (key != null) {
      proto.setKey(UnsafeByteOperations.unsafeWrap(key));
    }
    byte[] value = message.value();
    if (value != null) {
      proto.setValue(UnsafeByteOperations.unsafeWrap(value));
    }
    HeaderFields.write(message.headers(), due, proto);
    if (message.attempt() != 1) {
      proto.setAttempt(message.attempt());
    }
    proto.setMaxAttempts(message.maxAttempts());
    if (message.expiresAt() != StoredMessage.NO_EXPIRY) {
      proto.setExpiresAt(message.expiresAt());
    }
    if (message.origin() != StoredMessage.SELF) {
      proto.setOrigin(message.origin());
    }
    proto.setWrittenAt(message.writtenAt());
    proto.setFarDue(message.farDue());
    if (message.readAt() != StoredMessage.SELF) {
      proto.setReadAt(message.readAt());
    }
    Reason reason = message.reason();
    if (reason != null) {
      proto.setReason(reason.number());
    }
    String detail = message.detail();
    if (detail != null) {
      proto.setDetail(detail);
    }
    return proto.build();
  }

  private static StoredAskProto toProto(StoredAsk ask) {
    return StoredAskProto.newBuilder()
        .setVerb(ask.verb().number())
        .setOffset(ask.offset())
        .setDue(ask.due())
        .setMoveTo(ask.moveTo())
        .setInVain(ask.inVain())
        .build();
  }

  private static StoredMessage fromProto(StoredMessageProto proto, long due)
      throws CorruptMessageException {
    if (proto.hasOrigin() && proto.getOrigin() < 0) {
      throw new CorruptMessageException("origin is not an offset: " + proto.getOrigin());
    }
    if (proto.hasReadAt() && proto.getReadAt() < 0) {
      throw new CorruptMessageException("read_at is not an offset: " + proto.getReadAt());
    }
    try {
      return new StoredMessage(
          bytes(proto.hasKey(), proto.getKey()),
          bytes(proto.hasValue(), proto.getValue()),
          HeaderFields.read(proto, due),
          proto.hasAttempt() ? proto.getAttempt() : 1,
          proto.getMaxAttempts(),
          proto.hasExpiresAt() ? proto.getExpiresAt() : StoredMessage.NO_EXPIRY,
          proto.hasOrigin() ? proto.getOrigin() : StoredMessage.SELF,
          reason(proto.getReason()),
          proto.hasDetail() ? proto.getDetail() : null,
          proto.hasAsk() ? ask(proto.getAsk()) : null,
          proto.getWrittenAt(),
          proto.getFarDue(),
          proto.hasReadAt() ? proto.getReadAt() : StoredMessage.SELF);
    } catch (IllegalArgumentException e) {
      throw new CorruptMessageException("not a valid stored message: " + e.getMessage(), e);
    }
  }

  private static StoredAsk ask(StoredAskProto proto) throws CorruptMessageException {
    Verb verb = Verb.ofNumber(proto.getVerb());
    if (verb == null) {
      throw new CorruptMessageException(
          "unknown verb number " + Integer.toUnsignedString(proto.getVerb()));
    }
    try {
      return new StoredAsk(
          verb, proto.getOffset(), proto.getDue(), proto.getMoveTo(), proto.getInVain());
    } catch (IllegalArgumentException e) {
      throw new CorruptMessageException("not a valid ask: " + e.getMessage(), e);
    }
  }

  private static byte @Nullable [] bytes(boolean present, ByteString bytes) {
    return present ? bytes.toByteArray() : null;
  }

  private static @Nullable Reason reason(int number) throws CorruptMessageException {
    if (number == 0) {
      return null;
    }
    Reason reason = Reason.ofNumber(number);
    if (reason == null) {
      throw new CorruptMessageException(
          "unknown reason number " + Integer.toUnsignedString(number));
    }
    return reason;
  }
}
