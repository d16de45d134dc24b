package io.delaybridge.connect.callback;

import java.util.regex.Pattern;

/** The allowed entries of the list of hosts. */
final class Hosts {

  private static final Pattern PATTERN =
      Pattern.compile(
          "\\*|(\\*\\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*"
              + "|\\[[0-9a-f:.]+]");

  private Hosts() {}

  static void check(String pattern) {
    if (!PATTERN.matcher(pattern).matches()) {
      throw new IllegalArgumentException("not a host, in lower case");
    }
  }
}
