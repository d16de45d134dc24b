package io.delaybridge.schemas;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.delaybridge.schemas.StoredAsk.Verb;
import io.delaybridge.schemas.proto.StoredAskProto;
import io.delaybridge.schemas.proto.StoredHeaderProto;
import io.delaybridge.schemas.proto.StoredMessageProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a {@link StoredMessage}: one version byte, four bytes of checksum, then the Protobuf
 * message {@code StoredMessageProto}. Equal messages under equal keys have equal bytes.
 *
 * <p>The checksum is the CRC-32C of the key and of the Protobuf bytes: a message whose bytes were
 * changed, or that is found under the due time or the offset of another one, is corrupt. The ask
 * that has taken the place of a message is not part of it but has a checksum of its own, so that a
 * store can append the one to the other. See ADR 15.
 *
 * <p>Version 3 has numbers for the names of {@link HeaderNames}; version 2, which had not, is still
 * read.
 */
public final class StoredMessageCodec {

  private static final byte EARLIER = 2;
  private static final byte VERSION = 3;
  private static final int PREFIX = 1 + Integer.BYTES;

  private StoredMessageCodec() {}

  /**
   * The bytes of the message. An unpaired surrogate in a header name or in the detail has no UTF-8
   * form and becomes {@code ?}.
   *
   * @param due the due time under which it is stored, epoch milliseconds; of an ask, what the store
   *     has for it
   * @param offset the intake offset under which it is stored
   */
  public static byte[] encode(StoredMessage message, long due, long offset) {
    StoredAsk ask = message.ask();
    return ask == null
        ? checked(toProto(message), due, offset)
        : concat(
            checked(toProto(message.askedBy(null)), ask.due(), ask.offset()), suffix(ask, offset));
  }

  private static byte[] checked(StoredMessageProto proto, long due, long offset) {
    byte[] bytes = new byte[PREFIX + proto.getSerializedSize()];
    CodedOutputStream output = CodedOutputStream.newInstance(bytes, PREFIX, bytes.length - PREFIX);
    try {
      proto.writeTo(output);
    } catch (IOException e) {
      throw new UncheckedIOException("an array of the exact size can not be too small", e);
    }
    output.checkNoSpaceLeft();
    ByteBuffer.wrap(bytes).put(VERSION).putInt(checksum(bytes, bytes.length, due, offset));
    return bytes;
  }

  /**
   * What makes the bytes of a message those of the message with this ask, when it is appended to
   * them: Protobuf reads two messages in a row as one. So a store can put an ask in the place of a
   * message without understanding either.
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

  /** Of everything behind the prefix. */
  private static int checksum(byte[] bytes, int end, long due, long offset) {
    return checksum(bytes, PREFIX, end, due, offset);
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
   * The message with these bytes. Fields that a later release added are ignored.
   *
   * @param due as for {@link #encode}
   * @param offset as for {@link #encode}
   * @throws CorruptMessageException if the version is unknown, the checksum is that of other bytes
   *     or of another key, the bytes are not what Protobuf writes, or a value is not valid
   */
  public static StoredMessage decode(byte[] bytes, long due, long offset)
      throws CorruptMessageException {
    if (bytes.length == 0) {
      throw new CorruptMessageException("no version byte: the stored message is empty");
    }
    if (bytes[0] != VERSION && bytes[0] != EARLIER) {
      throw new CorruptMessageException(
          "unknown version %d, this release reads %d and %d"
              .formatted(Byte.toUnsignedInt(bytes[0]), EARLIER, VERSION));
    }
    return checked(bytes, due, offset);
  }

  private static StoredMessage checked(byte[] bytes, long due, long offset)
      throws CorruptMessageException {
    if (bytes.length < PREFIX) {
      throw new CorruptMessageException("cut within the checksum");
    }
    int expected = ByteBuffer.wrap(bytes).getInt(1);
    boolean plain = expected == checksum(bytes, bytes.length, due, offset);
    if (!plain && due >= 0) {
      throw damaged();
    }
    StoredMessage message = fromProto(parse(bytes));
    StoredAsk ask = message.ask();
    if (!plain && (ask == null || !endsWith(bytes, suffix(ask, offset), expected, ask))) {
      throw damaged();
    }
    return message;
  }

  private static CorruptMessageException damaged() {
    return new CorruptMessageException(
        "the checksum is that of other bytes, or of another due time or offset");
  }

  private static boolean endsWith(byte[] bytes, byte[] suffix, int expected, StoredAsk ask) {
    int end = bytes.length - suffix.length;
    return end >= PREFIX
        && Arrays.equals(bytes, end, bytes.length, suffix, 0, suffix.length)
        && expected == checksum(bytes, end, ask.due(), ask.offset());
  }

  private static StoredMessageProto parse(byte[] bytes) throws CorruptMessageException {
    CodedInputStream input =
        UnsafeByteOperations.unsafeWrap(bytes, PREFIX, bytes.length - PREFIX).newCodedInput();
    // Payloads are copied once, when they leave the Protobuf message, instead of twice.
    input.enableAliasing(true);
    try {
      return StoredMessageProto.parseFrom(input);
    } catch (IOException e) {
      throw new CorruptMessageException(
          "the " + bytes.length + " bytes are not a stored message: " + e.getMessage(), e);
    }
  }

  private static StoredMessageProto toProto(StoredMessage message) {
    StoredMessageProto.Builder proto = StoredMessageProto.newBuilder();
    byte[] key = message.key();
    if (key != null) {
      proto.setKey(UnsafeByteOperations.unsafeWrap(key));
    }
    byte[] value = message.value();
    if (value != null) {
      proto.setValue(UnsafeByteOperations.unsafeWrap(value));
    }
    for (StoredHeader header : message.headers()) {
      proto.addHeaders(toProto(header));
    }
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
    Reason reason = message.reason();
    if (reason != null) {
      proto.setReason(reason.number());
    }
    String detail = message.detail();
    if (detail != null) {
      proto.setDetail(detail);
    }
    StoredAsk ask = message.ask();
    if (ask != null) {
      proto.setAsk(toProto(ask));
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

  private static StoredHeaderProto toProto(StoredHeader header) {
    StoredHeaderProto.Builder proto = StoredHeaderProto.newBuilder();
    int number = HeaderNames.number(header.name());
    if (number == 0) {
      proto.setName(header.name());
    } else {
      proto.setNumber(number);
    }
    byte[] value = header.value();
    if (value != null) {
      proto.setValue(UnsafeByteOperations.unsafeWrap(value));
    }
    return proto.build();
  }

  private static StoredMessage fromProto(StoredMessageProto proto) throws CorruptMessageException {
    if (proto.hasOrigin() && proto.getOrigin() < 0) {
      throw new CorruptMessageException("origin is not an offset: " + proto.getOrigin());
    }
    try {
      return new StoredMessage(
          bytes(proto.hasKey(), proto.getKey()),
          bytes(proto.hasValue(), proto.getValue()),
          headers(proto),
          proto.hasAttempt() ? proto.getAttempt() : 1,
          proto.getMaxAttempts(),
          proto.hasExpiresAt() ? proto.getExpiresAt() : StoredMessage.NO_EXPIRY,
          proto.hasOrigin() ? proto.getOrigin() : StoredMessage.SELF,
          reason(proto.getReason()),
          proto.hasDetail() ? proto.getDetail() : null,
          proto.hasAsk() ? ask(proto.getAsk()) : null);
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
    return new StoredAsk(
        verb, proto.getOffset(), proto.getDue(), proto.getMoveTo(), proto.getInVain());
  }

  private static List<StoredHeader> headers(StoredMessageProto proto)
      throws CorruptMessageException {
    List<StoredHeader> headers = new ArrayList<>(proto.getHeadersCount());
    for (StoredHeaderProto header : proto.getHeadersList()) {
      headers.add(new StoredHeader(name(header), bytes(header.hasValue(), header.getValue())));
    }
    return headers;
  }

  private static String name(StoredHeaderProto header) throws CorruptMessageException {
    if (header.getNumber() == 0) {
      return header.getName();
    }
    String name = HeaderNames.name(header.getNumber());
    if (name == null) {
      throw new CorruptMessageException(
          "unknown header number " + Integer.toUnsignedString(header.getNumber()));
    }
    return name;
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
