package io.delaybridge.connect.http;

import java.security.KeyStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of HTTP calls.
 *
 * @param version version of HTTP
 * @param concurrency maximum number of callbacks in progress; also the number of connections to one
 *     host, where each carries one request at a time
 * @param connectTimeout for establishing a connection
 * @param timeout for a whole callback, including the connection
 * @param trust trusted certificates, in addition to the usual rules of HTTPS; null for those of the
 *     JVM
 */
public record HttpSettings(
    Version version,
    int concurrency,
    Duration connectTimeout,
    Duration timeout,
    @Nullable KeyStore trust) {

  /** The version of HTTP. */
  public enum Version {
    /** HTTP/2 with TLS if the server supports it, otherwise HTTP/1.1. */
    AUTO,
    /** HTTP/1.1 only. */
    HTTP_1_1,
    /** HTTP/2 only; without TLS "with prior knowledge" (RFC 9113 section 3.3). */
    HTTP_2
  }
}
