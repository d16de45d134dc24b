package io.delaybridge.connect.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The value of the header {@code Delay-Signature}: {@code t=<epoch seconds>,v1=<hex>}, where v1 is
 * HMAC-SHA256 (RFC 2104) over the seconds, a dot and the body. The time is included so that a
 * receiver can refuse a replayed request.
 */
public final class Signature {

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /** Takes the shared secret, not empty. */
  public Signature(String secret) {
    this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  /** Returns the value for this body at this time. */
  public String of(byte[] body, long epochSeconds) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((epochSeconds + ".").getBytes(StandardCharsets.US_ASCII));
      return "t=" + epochSeconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
