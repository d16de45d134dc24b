package io.delaybridge.admin.access;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rule for the {@code Host} header of a call. Only this header tells a call of one's own from a
 * call of a page whose name was made to point to this machine after the page was loaded (DNS
 * rebinding).
 */
public enum HostRule {
  /** Any: there are tokens, which such a page does not have, or nothing that it could change. */
  ANY("any"),
  /** An address or a name without a dot; neither can be the name of a site. */
  LOCAL("an IP address or a name without a dot"),
  /** Only this machine as it calls itself. */
  LOOPBACK("localhost, 127.0.0.1 or [::1]");

  private final String allowed;

  HostRule(String allowed) {
    this.allowed = allowed;
  }

  /** In words. */
  String allowed() {
    return allowed;
  }

  /** Whether a call with this header passes. */
  boolean passes(@Nullable String header) {
    // Every browser sends one.
    if (this == ANY || header == null) {
      return true;
    }
    String host = header.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
    boolean loopback =
        host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
    boolean local =
        host.matches("\\[[0-9a-f:.]+]")
            || host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
            || host.matches("[a-z0-9_-]+");
    return loopback || (this == LOCAL && local);
  }
}
