package io.delaybridge;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Almost valid bytes: valid ones with a few changes. The same seed gives the same bytes. */
public final class Noise {

  private static final List<String> WORDS =
      List.of(
          "",
          "-1",
          "0",
          "9223372036854775807",
          "9223372036854775808",
          "1e9",
          "NaN",
          "null",
          "|",
          ":",
          "/",
          ",",
          "*",
          "v1",
          "PT1S",
          "P9999999999D",
          "2026-01-01T00:00:00Z",
          "+1000000000-12-31T23:59:59.999999999Z",
          "\u0000",
          "\ud83d\ude00",
          "%s",
          "{}",
          "[]");

  private final Random random;

  /** Creates noise with this seed. */
  public Noise(long seed) {
    random = new Random(seed);
  }

  /** Returns a number from 0, below the bound. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** Returns one of them. */
  public <T> T of(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** Returns up to this many random bytes. */
  public byte[] bytes(int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Returns the text with up to four changes. */
  public String changed(String text) {
    return new String(changed(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  /** Returns the bytes with up to four changes. */
  public byte[] changed(byte[] bytes) {
    byte[] changed = bytes.clone();
    for (int i = random.nextInt(5); i > 0; i--) {
      changed = change(changed);
    }
    return changed;
  }

  private byte[] change(byte[] bytes) {
    int at = random.nextInt(bytes.length + 1);
    int end = Math.min(bytes.length, at + random.nextInt(9));
    return switch (random.nextInt(6)) {
      case 0 -> spliced(bytes, at, end, new byte[0]);
      case 1 -> spliced(bytes, at, at, bytes(8));
      case 2 -> spliced(bytes, at, end, of(WORDS).getBytes(StandardCharsets.UTF_8));
      case 3 -> Arrays.copyOf(bytes, at);
      case 4 -> spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, end));
      default -> flipped(bytes);
    };
  }

  private byte[] flipped(byte[] bytes) {
    byte[] flipped = bytes.clone();
    if (flipped.length > 0) {
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return flipped;
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] between) {
    byte[] spliced = new byte[bytes.length - (to - from) + between.length];
    System.arraycopy(bytes, 0, spliced, 0, from);
    System.arraycopy(between, 0, spliced, from, between.length);
    System.arraycopy(bytes, to, spliced, from + between.length, bytes.length - to);
    return spliced;
  }
}
