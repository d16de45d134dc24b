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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a {@link StoredMessage}: one version byte, then the Protobuf message {@code
 * StoredMessageProto}. Equal messages have equal bytes.
 *
 * <p>There is no length and no checksum: the store keeps a value whole or not at all. Bytes that
 * were cut exactly between two fields, or changed inside a payload, are a different message and not
 * a corrupt one.
 */
public final class StoredMessageCodec {

  private static final byte VERSION = 1;
  private static final int PREFIX = 1;

  private StoredMessageCodec() {}

  /**
   * The bytes of the message. An unpaired surrogate in a header name or in the detail has no UTF-8
   * form and becomes {@code ?}.
   */
  public static byte[] encode(StoredMessage message) {
    StoredMessageProto proto = toProto(message);
    byte[] bytes = new byte[PREFIX + proto.getSerializedSize()];
    bytes[0] = VERSION;
    CodedOutputStream output = CodedOutputStream.newInstance(bytes, PREFIX, bytes.length - PREFIX);
    try {
      proto.writeTo(output);
    } catch (IOException e) {
      throw new UncheckedIOException("an array of the exact size can not be too small", e);
    }
    output.checkNoSpaceLeft();
    return bytes;
  }

  /**
   * What makes the bytes of a message those of the message with this ask, when it is appended to
   * them: Protobuf reads two messages in a row as one. So a store can put an ask in the place of a
   * message without understanding either.
   */
  public static byte[] suffix(StoredAsk ask) {
    return StoredMessageProto.newBuilder().setAsk(toProto(ask)).build().toByteArray();
  }

  /**
   * The message with these bytes. Fields that a later release added are ignored.
   *
   * @throws CorruptMessageException if the version is unknown, the bytes are not what Protobuf
   *     writes, or a value is not valid
   */
  public static StoredMessage decode(byte[] bytes) throws CorruptMessageException {
    if (bytes.length < PREFIX) {
      throw new CorruptMessageException("no version byte: the stored message is empty");
    }
    if (bytes[0] != VERSION) {
      throw new CorruptMessageException(
          "unknown version " + Byte.toUnsignedInt(bytes[0]) + ", this release reads " + VERSION);
    }
    return fromProto(parse(bytes));
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
    StoredHeaderProto.Builder proto = StoredHeaderProto.newBuilder().setName(header.name());
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

  private static List<StoredHeader> headers(StoredMessageProto proto) {
    List<StoredHeader> headers = new ArrayList<>(proto.getHeadersCount());
    for (StoredHeaderProto header : proto.getHeadersList()) {
      headers.add(new StoredHeader(header.getName(), bytes(header.hasValue(), header.getValue())));
    }
    return headers;
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
