package io.delaybridge.schemas;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One header of a stored record. Two are equal if their names and the bytes of their values are.
 *
 * <p>The value is not copied: whoever hands it over, or asks for it, must not change it.
 *
 * @param name the name, may be empty
 * @param value the value, byte for byte; null is a header with a null value, which is not an empty
 *     one
 */
// Arrays, because that is what Kafka gives and takes; equals, hashCode and toString below know that
// they are.
@SuppressWarnings("ArrayRecordComponent")
public record StoredHeader(String name, @Parameter.Nullable byte @Nullable [] value) {

  /**
   * @throws NullPointerException if there is no name
   */
  public StoredHeader {
    Objects.requireNonNull(name, "name");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoredHeader that
        && name.equals(that.name)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + Arrays.hashCode(value);
  }

  /** Returns the name and the size of the value, never the value itself. */
  @Override
  public String toString() {
    return "StoredHeader[name=" + name + ", value=" + size(value) + "]";
  }

  /** Returns the size of bytes that must not be shown. */
  static String size(byte @Nullable [] bytes) {
    return bytes == null ? "null" : bytes.length + " bytes";
  }
}
