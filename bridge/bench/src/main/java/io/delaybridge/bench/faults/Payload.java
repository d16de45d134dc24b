package io.delaybridge.bench.faults;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The value of a record. It says which message it is and when and where it is due, and has a
 * checksum of all of that.
 *
 * @param number number of the message
 * @param decoy whether a later record replaces or cancels this one
 * @param due due time, epoch milliseconds
 * @param target index of the target topic
 */
record Payload(int number, boolean decoy, long due, int target) {

  private static final int HEAD = Integer.BYTES + 1 + Long.BYTES + 1;

  /** Returns the bytes, with this many bytes of padding. */
  byte[] encode(int padding) {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD + padding + Integer.BYTES);
    bytes.putInt(number).put((byte) (decoy ? 1 : 0)).putLong(due).put((byte) target);
    for (int i = 0; i < padding; i++) {
      bytes.put((byte) (number * 31 + i));
    }
    bytes.putInt(checksum(bytes.array(), bytes.position()));
    return bytes.array();
  }

  /** Decodes the output of {@link #encode}; empty if the checksum does not match. */
  static Optional<Payload> decode(byte[] value) {
    int end = value.length - Integer.BYTES;
    ByteBuffer bytes = ByteBuffer.wrap(value);
    if (end < HEAD || bytes.getInt(end) != checksum(value, end)) {
      return Optional.empty();
    }
    return Optional.of(new Payload(bytes.getInt(), bytes.get() == 1, bytes.getLong(), bytes.get()));
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }
}
