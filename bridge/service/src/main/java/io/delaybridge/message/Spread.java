package io.delaybridge.message;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Computes how much later a message is due than others with the same due time. */
public final class Spread {

  private Spread() {}

  /**
   * Returns milliseconds, 0 to {@code width}: always the same for the same text, so that reading a
   * record again gives the same key.
   *
   * @param width milliseconds, 0 to {@link Integer#MAX_VALUE}
   */
  public static long of(long width, String text) {
    if (width == 0) {
      return 0;
    }
    CRC32 hash = new CRC32();
    hash.update(text.getBytes(StandardCharsets.UTF_8));
    return (hash.getValue() * (width + 1)) >>> 32;
  }
}
