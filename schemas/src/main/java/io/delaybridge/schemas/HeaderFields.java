package io.delaybridge.schemas;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.delaybridge.schemas.proto.StoredHeaderProto;
import io.delaybridge.schemas.proto.StoredMessageProto;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The headers of a message in their Protobuf form. Records that our own programs write begin with a
 * target topic and a time, in this order. These two have their own fields, which saves their names
 * and the frame of a header, and does not store again what the key of a message already contains.
 * All other headers follow unchanged.
 */
final class HeaderFields {

  /** Only names up to this number have a field; see {@link HeaderNames}. */
  private static final int LAST_FIELD = HeaderNames.number(DelayHeaders.DELIVER_AT);

  private HeaderFields() {}

  static void write(List<StoredHeader> headers, long due, StoredMessageProto.Builder proto) {
    int number = 0;
    int i = 0;
    for (; i < headers.size(); i++) {
      StoredHeader header = headers.get(i);
      int next = HeaderNames.number(header.name());
      byte[] value = header.value();
      if (next <= number || next > LAST_FIELD || value == null || isEmptyTime(next, value)) {
        break;
      }
      number = next;
      switch (header.name()) {
        case DelayHeaders.TARGET_TOPIC -> proto.setTargetTopic(wrap(value));
        case DelayHeaders.DELAY_MS -> proto.setDelayMs(wrap(value));
        case DelayHeaders.DELAY_DURATION -> proto.setDelayDuration(wrap(value));
        default ->
            proto.setDeliverAt(Arrays.equals(value, decimal(due)) ? ByteString.EMPTY : wrap(value));
      }
    }
    for (; i < headers.size(); i++) {
      proto.addHeaders(toProto(headers.get(i)));
    }
  }

  static List<StoredHeader> read(StoredMessageProto proto, long due)
      throws CorruptMessageException {
    List<StoredHeader> headers = new ArrayList<>(LAST_FIELD + proto.getHeadersCount());
    if (proto.hasTargetTopic()) {
      headers.add(header(DelayHeaders.TARGET_TOPIC, proto.getTargetTopic()));
    }
    if (proto.hasDelayMs()) {
      headers.add(header(DelayHeaders.DELAY_MS, proto.getDelayMs()));
    }
    if (proto.hasDelayDuration()) {
      headers.add(header(DelayHeaders.DELAY_DURATION, proto.getDelayDuration()));
    }
    if (proto.hasDeliverAt()) {
      headers.add(
          proto.getDeliverAt().isEmpty()
              ? new StoredHeader(DelayHeaders.DELIVER_AT, decimal(due))
              : header(DelayHeaders.DELIVER_AT, proto.getDeliverAt()));
    }
    for (StoredHeaderProto header : proto.getHeadersList()) {
      headers.add(
          new StoredHeader(
              name(header), header.hasValue() ? header.getValue().toByteArray() : null));
    }
    return headers;
  }

  /** An empty time has another meaning in its field. */
  private static boolean isEmptyTime(int number, byte[] value) {
    return number == LAST_FIELD && value.length == 0;
  }

  private static byte[] decimal(long due) {
    return Long.toString(due).getBytes(StandardCharsets.US_ASCII);
  }

  private static StoredHeader header(String name, ByteString value) {
    return new StoredHeader(name, value.toByteArray());
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
      proto.setValue(wrap(value));
    }
    return proto.build();
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

  private static ByteString wrap(byte[] value) {
    return UnsafeByteOperations.unsafeWrap(value);
  }
}
