package io.delaybridge.connect.http;

import java.io.IOException;

/** A host name resolves to an address that is not allowed. */
final class ForbiddenAddressException extends IOException {

  private static final long serialVersionUID = 1;

  /** Omits the address, so that whoever chooses the name cannot learn what it resolves to here. */
  ForbiddenAddressException(String host) {
    super("host " + host + " has a private, local or reserved address that is not listed");
  }
}
