package io.delaybridge.admin.api;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Bytes of a record as the API shows them: as text if they are UTF-8, else in Base64. */
final class Payload {

  private Payload() {}

  /** The bytes as text; null if there are none, or they are not text. */
  static @Nullable String text(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** The bytes in Base64; null if there are none, or they are text. */
  static @Nullable String base64(byte @Nullable [] bytes) {
    return bytes == null || text(bytes) != null ? null : Base64.getEncoder().encodeToString(bytes);
  }
}
