package io.delaybridge.admin.access;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.admin.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the tokens that are good now. Looks at the file again when asked, at most once a second. A
 * file that cannot be parsed changes nothing, so that a slip of the hand locks nobody out. Safe for
 * use by all threads.
 */
public final class Tokens extends HealthCheck {

  private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
  private static final long LOOK_EVERY = Duration.ofSeconds(1).toNanos();

  private final Path file;
  private final InstantSource clock;
  private final LongSupplier nanos;

  private List<Token> tokens;
  private Stamp stamp;
  private long looked;
  private @Nullable String problem;

  /** Tells one version of a file from the next; a replaced file has another key. */
  private record Stamp(
      @Nullable FileTime modified, long size, @Nullable String key, boolean readable) {

    static final Stamp GONE = new Stamp(null, -1, null, false);

    static Stamp of(Path file) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(
            now.lastModifiedTime(),
            now.size(),
            String.valueOf(now.fileKey()),
            Files.isReadable(file));
      } catch (IOException e) {
        LOG.debug("The attributes of {} cannot be read", file, e);
        return GONE;
      }
    }
  }

  /** The result of a check of a token. */
  sealed interface Found {

    /** It is good. */
    record Good(Caller caller) implements Found {}

    /** It was good. */
    record Expired(String name) implements Found {}

    /** It is nobody's. */
    record Unknown() implements Found {}
  }

  /**
   * Reads the file.
   *
   * @param clock by which tokens expire
   * @param nanos a monotonic clock
   * @throws IOException names the file and what is wrong with it
   */
  public Tokens(Path file, InstantSource clock, LongSupplier nanos) throws IOException {
    this.file = file;
    this.clock = clock;
    this.nanos = nanos;
    this.looked = nanos.getAsLong();
    // Before it is read: what is written in between shows as a change the next time.
    this.stamp = Stamp.of(file);
    this.tokens = TokenFile.read(file);
  }

  /** How many there are, expired ones included. */
  public int size() {
    return current().size();
  }

  /** Looks at every token, whichever matches, so that the time it takes says nothing. */
  Found find(String secret) {
    String hash = Token.hashOf(secret);
    Token match = null;
    for (Token token : current()) {
      match = token.hasHash(hash) ? token : match;
    }
    if (match == null) {
      return new Found.Unknown();
    }
    return match.expired(clock.instant())
        ? new Found.Expired(match.name())
        : new Found.Good(match.caller());
  }

  private synchronized List<Token> current() {
    long now = nanos.getAsLong();
    if (now - looked >= LOOK_EVERY) {
      looked = now;
      Stamp seen = Stamp.of(file);
      // The stamp may be the same although what was wrong has passed.
      if (!seen.equals(stamp) || problem != null) {
        stamp = seen;
        reload();
      }
    }
    return tokens;
  }

  private synchronized void reload() {
    try {
      tokens = TokenFile.read(file);
      problem = null;
      LOG.info("{} tokens were read from {}", tokens.size(), file);
    } catch (IOException e) {
      String wrong = e.getMessage() == null ? e.toString() : e.getMessage();
      if (!wrong.equals(problem)) {
        LOG.error("The {} tokens read before stay valid: {}", tokens.size(), wrong);
      }
      problem = wrong;
    }
  }

  private synchronized @Nullable String problem() {
    current();
    return problem;
  }

  @Override
  protected Result check() {
    String wrong = problem();
    return wrong == null
        ? Result.healthy("%d tokens", size())
        : Result.unhealthy("the tokens read before stay valid: %s", wrong);
  }
}
