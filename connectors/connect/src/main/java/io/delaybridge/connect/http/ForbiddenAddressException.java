package io.delaybridge.connect.http;

import java.io.IOException;

/** A host name stands for an address that must not be connected to. */
final class ForbiddenAddressException extends IOException {

  private static final long serialVersionUID = 1;

  /** Does not say the address: who may choose the name is not to learn what it stands for here. */
  ForbiddenAddressException(String host) {
    super("host " + host + " has a private, local or reserved address that is not listed");
  }
}
