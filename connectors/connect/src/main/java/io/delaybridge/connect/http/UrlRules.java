package io.delaybridge.connect.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The rules for URLs that may be called.
 *
 * @param schemes of {@code http} and {@code https}
 * @param ports allowed ports
 * @param hosts allowed hosts: names, {@code *.example.com} for all names below one, {@code *} for
 *     all; lower case
 */
public record UrlRules(Set<String> schemes, Set<Integer> ports, List<String> hosts) {

  /** The supported schemes. */
  public static final List<String> SCHEMES = List.of("https", "http");

  private static final int LONGEST = 2_048;

  public UrlRules {
    schemes = Set.copyOf(schemes);
    ports = Set.copyOf(ports);
    hosts = List.copyOf(hosts);
  }

  /** The verdict of the rules on a URL. */
  public sealed interface Verdict {}

  /**
   * It may be called.
   *
   * @param uri the URL, with a host and an explicit scheme
   */
  public record Allowed(URI uri) implements Verdict {}

  /**
   * It must not be called.
   *
   * @param why for a human
   */
  public record Forbidden(String why) implements Verdict {}

  /** Checks a URL that comes with a message: scheme, host and port must be allowed. */
  public Verdict check(String url) {
    Verdict verdict = checkForm(url);
    if (verdict instanceof Allowed allowed && !allowsHost(host(allowed.uri()))) {
      return new Forbidden("host " + host(allowed.uri()) + " is not allowed");
    }
    return verdict;
  }

  /** Checks a URL that the operator has chosen: its host need not be listed. */
  public Verdict checkForm(String url) {
    if (url.length() > LONGEST) {
      return new Forbidden("the URL is longer than " + LONGEST + " characters");
    }
    URI uri;
    try {
      uri = new URI(url).parseServerAuthority();
    } catch (URISyntaxException e) {
      return new Forbidden("the URL is malformed: " + e.getReason());
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!schemes.contains(scheme)) {
      return new Forbidden("scheme '" + scheme + "' is not allowed");
    }
    if (uri.getHost() == null || uri.getHost().endsWith(".")) {
      return new Forbidden("the URL has no host, or one that ends with a dot");
    }
    if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      return new Forbidden("the URL has a user or a fragment");
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
    if (!ports.contains(port)) {
      return new Forbidden("port " + port + " is not allowed");
    }
    return ascii(uri);
  }

  /**
   * Returns the URL in ASCII. The client would write other characters as question marks, which
   * begin a query.
   */
  private static Verdict ascii(URI uri) {
    // Normalization turns some characters into others that are not allowed in a URL.
    String text = uri.toASCIIString();
    if (text.length() > LONGEST) {
      return new Forbidden("the URL is longer than " + LONGEST + " characters of ASCII");
    }
    try {
      return new Allowed(new URI(text));
    } catch (URISyntaxException e) {
      return new Forbidden("the URL cannot be written in ASCII: " + e.getReason());
    }
  }

  private boolean allowsHost(String host) {
    return hosts.stream()
        .anyMatch(
            pattern ->
                pattern.equals("*")
                    || pattern.equals(host)
                    || (pattern.startsWith("*.") && host.endsWith(pattern.substring(1))));
  }

  private static String host(URI uri) {
    return uri.getHost().toLowerCase(Locale.ROOT);
  }
}
