package io.delaybridge.connect.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks the IP addresses that a callback may connect to: those of the public Internet, and those
 * that are listed. Refuses everything that the special-purpose registries of IANA (RFC 6890)
 * reserve for a machine, a link or a private network, in any IPv6 form. Pure.
 */
public final class AddressGuard {

  private static final List<Cidr> SPECIAL_V4 =
      Stream.of(
              "0.0.0.0/8",
              "10.0.0.0/8",
              "100.64.0.0/10",
              "127.0.0.0/8",
              // Contains the metadata services of clouds.
              "169.254.0.0/16",
              "172.16.0.0/12",
              "192.0.0.0/24",
              "192.0.2.0/24",
              "192.88.99.0/24",
              "192.168.0.0/16",
              "198.18.0.0/15",
              "198.51.100.0/24",
              "203.0.113.0/24",
              "224.0.0.0/4",
              "240.0.0.0/4")
          .map(Cidr::of)
          .toList();

  /** The rest of IPv6 is local, multicast, mapped or unassigned. */
  private static final Cidr GLOBAL_V6 = Cidr.of("2000::/3");

  private static final List<Cidr> SPECIAL_V6 =
      Stream.of("2001::/23", "2001:db8::/32", "3fff::/20").map(Cidr::of).toList();

  private static final Cidr NAT64 = Cidr.of("64:ff9b::/96");
  private static final Cidr SIX_TO_FOUR = Cidr.of("2002::/16");

  private static final Pattern LITERAL = Pattern.compile("\\[.*]|[0-9.]+");

  private final List<Cidr> listed;

  /** Takes the blocks that are allowed beyond the public Internet. */
  public AddressGuard(List<Cidr> listed) {
    this.listed = List.copyOf(listed);
  }

  /** Returns true if a callback may connect to this address. */
  public boolean allows(InetAddress address) {
    byte[] bytes = address.getAddress();
    return listed.stream().anyMatch(block -> block.contains(bytes)) || isPublic(bytes);
  }

  /** Returns true if this host of a URL is a literal address that is not allowed. */
  public boolean forbids(String host) {
    if (!LITERAL.matcher(host).matches()) {
      return false;
    }
    try {
      // A literal address needs no lookup.
      return !allows(InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      return true;
    }
  }

  private static boolean isPublic(byte[] address) {
    if (address.length == 4) {
      return SPECIAL_V4.stream().noneMatch(block -> block.contains(address));
    }
    if (NAT64.contains(address)) {
      return isPublic(Arrays.copyOfRange(address, 12, 16));
    }
    if (SIX_TO_FOUR.contains(address)) {
      return isPublic(Arrays.copyOfRange(address, 2, 6));
    }
    return GLOBAL_V6.contains(address)
        && SPECIAL_V6.stream().noneMatch(block -> block.contains(address));
  }
}
