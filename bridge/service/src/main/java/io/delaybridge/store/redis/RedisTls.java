package io.delaybridge.store.redis;

import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/**
 * Settings for an encrypted connection, beyond what the JVM does by itself. All files are PEM.
 *
 * @param trust certificates that sign those of the servers; null for those that the JVM trusts
 * @param certificate certificate that the bridge shows if the server wants one; null for none
 * @param key key of that certificate, PKCS#8, not encrypted
 */
public record RedisTls(@Nullable Path trust, @Nullable Path certificate, @Nullable Path key) {

  /** The default of the JVM. */
  public static final RedisTls DEFAULT = new RedisTls(null, null, null);

  /**
   * Throws IllegalArgumentException if a file cannot be read, is not what it should be, or one of a
   * pair is missing.
   */
  public RedisTls {
    readable("trust", trust);
    readable("certificate", certificate);
    readable("key", key);
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "redis.tls.certificate is %s and redis.tls.key is %s, allowed: both or neither"
              .formatted(certificate, key));
    }
    if (trust != null || key != null) {
      usable(options(trust, certificate, key));
    }
  }

  private static void usable(SslOptions options) {
    try {
      options.createSslContextBuilder().build();
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "redis.tls cannot be used (%s), allowed: certificates in PEM, and the key of the first in PEM as PKCS#8 without a password"
              .formatted(e.getMessage()),
          e);
    }
  }

  SslOptions options() {
    return options(trust, certificate, key);
  }

  private static SslOptions options(
      @Nullable Path trust, @Nullable Path certificate, @Nullable Path key) {
    SslOptions.Builder options = SslOptions.builder().jdkSslProvider();
    if (trust != null) {
      options.trustManager(trust.toFile());
    }
    if (certificate != null && key != null) {
      options.keyManager(certificate.toFile(), key.toFile(), new char[0]);
    }
    return options.build();
  }

  private static void readable(String name, @Nullable Path file) {
    if (file != null && !Files.isReadable(file)) {
      throw new IllegalArgumentException(
          "redis.tls.%s is %s, allowed: a file that the bridge can read".formatted(name, file));
    }
  }
}
