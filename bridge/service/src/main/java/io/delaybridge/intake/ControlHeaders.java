package io.delaybridge.intake;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.KnownHeaders;
import io.delaybridge.schemas.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The control headers of one record, each at most once and valid UTF-8. */
final class ControlHeaders {

  private static final int SHOWN = 64;
  private static final char REPLACEMENT = '\uFFFD';
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private final Map<String, String> values;

  private ControlHeaders(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Reads the control headers that are known at a level of reading. Called for every record.
   *
   * @param refusesUnknown whether an unknown header is a fault, unless the record is a copy that
   *     the bridge wrote: that was judged when its message was first read
   */
  static ControlHeaders of(Headers headers, int level, boolean refusesUnknown) throws Rejection {
    Map<String, String> values = new HashMap<>();
    String unknown = null;
    for (Header header : headers) {
      String name = header.key();
      if (!KnownHeaders.isOurs(name)) {
        continue;
      }
      if (!KnownHeaders.isKnown(name, level)) {
        unknown = unknown == null ? name : unknown;
      } else if (DelayHeaders.CONTROL.contains(name) && values.put(name, decode(header)) != null) {
        throw new Rejection(Reason.DUPLICATE_HEADER, name + " is given more than once");
      }
    }
    if (unknown != null && refusesUnknown && !values.containsKey(DelayHeaders.RETRY)) {
      throw new Rejection(Reason.UNKNOWN_HEADER, KnownHeaders.refusal(unknown));
    }
    return new ControlHeaders(values);
  }

  @Nullable String get(String name) {
    return values.get(name);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** A whole number from a header, or {@code absent} if it is not given. */
  long number(String name, long absent, long min, long max, Reason reason) throws Rejection {
    String text = get(name);
    if (text == null) {
      return absent;
    }
    if (NUMBER.matcher(text).matches()) {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    }
    throw new Rejection(
        reason,
        "%s is '%s', allowed: a whole number from %d to %d"
            .formatted(name, shortened(text), min, max));
  }

  /** Cuts the text of a producer to a length that is safe to repeat in a header or a log. */
  static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  private static String decode(Header header) throws Rejection {
    byte[] value = header.value();
    if (value == null) {
      throw new Rejection(Reason.INVALID_UTF8, header.key() + " has no value");
    }
    String text = new String(value, StandardCharsets.UTF_8);
    return text.indexOf(REPLACEMENT) < 0 ? text : strictly(header, value);
  }

  /** Decodes strictly: the replacement character stands for invalid bytes, or for itself. */
  private static String strictly(Header header, byte[] value) throws Rejection {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException e) {
      throw new Rejection(Reason.INVALID_UTF8, header.key() + " is not valid UTF-8");
    }
  }
}
