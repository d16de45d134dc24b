package io.delaybridge.connect.http;

import java.security.KeyStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of HTTP calls.
 *
 * @param version which HTTP
 * @param concurrency callbacks under way at most; also the connections to one host, where each
 *     carries one request at a time
 * @param connectTimeout for a connection to be made
 * @param timeout for a whole callback, connecting included
 * @param trust whom to trust beyond HTTPS's usual rules; null for what the JVM trusts
 */
public record HttpSettings(
    Version version,
    int concurrency,
    Duration connectTimeout,
    Duration timeout,
    @Nullable KeyStore trust) {

  /** Which HTTP to speak. */
  public enum Version {
    /** HTTP/2 with TLS where the server knows it, HTTP/1.1 otherwise. */
    AUTO,
    /** HTTP/1.1 only. */
    HTTP_1_1,
    /** HTTP/2 only; without TLS "with prior knowledge" (RFC 9113 section 3.3). */
    HTTP_2
  }
}
