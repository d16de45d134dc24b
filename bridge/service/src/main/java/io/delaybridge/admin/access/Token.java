package io.delaybridge.admin.access;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Role;
import io.delaybridge.schemas.InstantText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One token as the token file knows it: {@code name sha256:hash roles intakes [until]}.
 *
 * <p>Only the hash is kept, and a plain SHA-256 is enough: a token is 256 random bits, so there is
 * nothing to guess, and neither a salt nor a slow hash would make it harder. Those are for
 * passwords, which people choose. Do not put the hash of a chosen password here.
 *
 * @param name who it was made for; goes into logs
 * @param hash SHA-256 of the token, 64 lower-case hexadecimal digits
 * @param roles see {@link Role}
 * @param intakes the intakes it may see and touch, null for all
 * @param until when it expires, null if it does not
 */
public record Token(
    String name,
    String hash,
    Set<String> roles,
    @Nullable Set<String> intakes,
    @Nullable Instant until) {

  /** Marks a token as one, for people and for scanners for leaked secrets. */
  public static final String PREFIX = "dlb_";

  private static final List<String> ROLES = List.of(Role.READ, Role.SCHEDULE, Role.OPERATE);
  private static final String HASH_PREFIX = "sha256:";
  private static final String ALL = "*";
  private static final int BYTES = 32;

  /**
   * Checks every part.
   *
   * @throws IllegalArgumentException says what is wrong and what is allowed
   */
  public Token {
    require(
        name,
        "(?!" + PREFIX + ")[a-zA-Z0-9._-]{1,64}",
        "name",
        "1 to 64 letters, digits, '.', '_' and '-', not starting with " + PREFIX);
    // Not shown: somebody may have put the token itself here.
    if (!hash.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException(
          "the hash of '" + name + "' is not 'sha256:' and 64 hexadecimal digits");
    }
    roles = Set.copyOf(roles);
    for (String role : roles) {
      require(role, String.join("|", ROLES), "role", String.join(", ", ROLES));
    }
    if (roles.isEmpty()) {
      throw new IllegalArgumentException("token '" + name + "' has no role");
    }
    intakes = intakes == null ? null : Set.copyOf(intakes);
    if (intakes != null) {
      intakes.forEach(
          intake -> require(intake, "[a-zA-Z0-9._-]{1,249}", "intake", "a topic name, or * alone"));
    }
  }

  /**
   * Reads a line of the token file.
   *
   * @throws IllegalArgumentException says what is wrong and what is allowed, and never shows what
   *     may be a token
   */
  public static Token parse(String line) {
    String[] fields = line.strip().split("\\s+", -1);
    if (fields.length < 4 || fields.length > 5) {
      throw new IllegalArgumentException(
          fields.length + " fields, allowed: name sha256:hash roles intakes [until]");
    }
    String hash = fields[1].startsWith(HASH_PREFIX) ? fields[1].substring(7) : "";
    return new Token(
        fields[0],
        hash,
        list(fields[2]),
        fields[3].equals(ALL) ? null : list(fields[3]),
        fields.length == 4 ? null : instant(fields[4]));
  }

  private static Set<String> list(String text) {
    return new LinkedHashSet<>(Arrays.asList(text.split(",", -1)));
  }

  private static Instant instant(String text) {
    try {
      return InstantText.parse(text);
    } catch (InstantText.RefusedException e) {
      throw new IllegalArgumentException("until is " + shown(text) + ", " + e.getMessage(), e);
    }
  }

  private static void require(String value, String pattern, String what, String allowed) {
    if (!value.matches(pattern)) {
      throw new IllegalArgumentException(what + " is " + shown(value) + ", allowed: " + allowed);
    }
  }

  private static String shown(String value) {
    return value.contains(PREFIX) ? "what looks like a token" : "'" + value + "'";
  }

  /** A new secret: 256 random bits in a form that goes into a header and a URL as it is. */
  public static String generate() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns the hash of a secret, as the token file keeps it: 64 hexadecimal digits. */
  public static String hashOf(String secret) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The line of the token file. */
  public String line() {
    return String.join(
            " ",
            name,
            HASH_PREFIX + hash,
            String.join(",", ROLES.stream().filter(roles::contains).toList()),
            intakes == null ? ALL : String.join(",", new TreeSet<>(intakes)))
        + (until == null ? "" : " " + until);
  }

  /** Whether this is the hash of that token; takes as long whether it is or not. */
  boolean hasHash(String other) {
    return MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }

  boolean expired(Instant now) {
    return until != null && !now.isBefore(until);
  }

  Caller caller() {
    return new Caller(name, roles, intakes);
  }
}
