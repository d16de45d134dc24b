package io.delaybridge.connect.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * A block of IP addresses, as in {@code 10.0.0.0/8} (RFC 4632, RFC 4291 section 2.3), or a single
 * one.
 */
public final class Cidr {

  /** Only literals reach the JDK's parser, which would look up anything else as a name. */
  private static final Pattern LITERAL =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-fA-F]*:[0-9a-fA-F:.]+");

  private final byte[] network;
  private final int bits;

  private Cidr(byte[] network, int bits) {
    this.network = network;
    this.bits = bits;
  }

  /**
   * Parses a block or an address.
   *
   * @throws IllegalArgumentException if it is neither an IP address nor a block of them, or if
   *     anything follows the prefix
   */
  public static Cidr of(String text) {
    int slash = text.indexOf('/');
    byte[] network = address(text, slash < 0 ? text : text.substring(0, slash));
    int bits = slash < 0 ? network.length * 8 : bits(text, text.substring(slash + 1));
    if (bits > network.length * 8) {
      throw wrong(text);
    }
    for (int bit = bits; bit < network.length * 8; bit++) {
      if ((network[bit / 8] >> (7 - bit % 8) & 1) != 0) {
        throw wrong(text);
      }
    }
    return new Cidr(network, bits);
  }

  private static byte[] address(String text, String literal) {
    if (!LITERAL.matcher(literal).matches()) {
      throw wrong(text);
    }
    try {
      return InetAddress.getByName(literal).getAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(wrong(text).getMessage(), e);
    }
  }

  private static int bits(String text, String number) {
    if (!number.matches("\\d{1,3}")) {
      throw wrong(text);
    }
    return Integer.parseInt(number);
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        text + " is not an IP address or a block of them, as in 10.1.0.0/16 or fd00::/8");
  }

  /** Returns true if this address of 4 or 16 bytes is in the block. */
  boolean contains(byte[] address) {
    if (address.length != network.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      if (((address[bit / 8] ^ network[bit / 8]) >> (7 - bit % 8) & 1) != 0) {
        return false;
      }
    }
    return true;
  }
}
