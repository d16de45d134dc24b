package io.delaybridge.message;

import io.delaybridge.schemas.StoredMessage;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of the header {@code delay-retry}: {@code v1|origin|attempt|due|expires}, the last one
 * {@code -} for no expiry. The bridge writes the header on the copy that it puts back to the
 * intake; everything else of the message stays as its producer wrote it. A copy in the later topic,
 * and one that comes home from there, has {@code v2} in the place of {@code v1}. A message that is
 * written anew to move one in the later topic has {@code v3}, and {@code |seen} at the end; see ADR
 * 32.
 *
 * @param origin intake offset of the first attempt; with {@code v3}, of the message that it
 *     replaces
 * @param attempt the attempt that the copy is for; 1 if the message was moved before its first
 * @param due epoch milliseconds
 * @param expiresAt epoch milliseconds or {@link StoredMessage#NO_EXPIRY}
 * @param seen with {@code v3}, intake offset up to which the store had everything when the message
 *     that it replaces was seen to be far; else -1
 */
public record RetryMark(Kind kind, long origin, int attempt, long due, long expiresAt, long seen) {

  /** Creates a mark without {@code seen}. */
  public RetryMark(Kind kind, long origin, int attempt, long due, long expiresAt) {
    this(kind, origin, attempt, due, expiresAt, -1);
  }

  /** The purpose of a copy. */
  public enum Kind {
    /** Another attempt, or another due time of a near message. */
    AGAIN("v1"),
    /**
     * The copy takes laps, or comes home from them. Among messages that are due with it, it has the
     * place of its origin.
     */
    LAP("v2"),
    /** A message of its own in the place of a far one, if that is still there. */
    INSTEAD("v3");

    private final String version;

    Kind(String version) {
      this.version = version;
    }

    private static Kind of(String version) {
      return version.equals("v1") ? AGAIN : version.equals("v2") ? LAP : INSTEAD;
    }
  }

  private static final Pattern FORM =
      Pattern.compile(
          "(v[123])\\|([0-9]{1,18})\\|([0-9]{1,9})\\|([0-9]{1,15})\\|([0-9]{1,18}|-)(?:\\|([0-9]{1,18}))?");

  /** Reads what {@link #toString} wrote; empty if it is anything else. */
  public static Optional<RetryMark> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String expires = form.group(5);
    String seen = form.group(6);
    RetryMark mark =
        new RetryMark(
            Kind.of(form.group(1)),
            Long.parseLong(form.group(2)),
            Integer.parseInt(form.group(3)),
            Long.parseLong(form.group(4)),
            expires.equals("-") ? StoredMessage.NO_EXPIRY : Long.parseLong(expires),
            seen == null ? -1 : Long.parseLong(seen));
    boolean whole = (mark.kind == Kind.INSTEAD) == (mark.seen >= 0);
    return mark.attempt < 1 || !whole ? Optional.empty() : Optional.of(mark);
  }

  /** The value of the header. */
  @Override
  public String toString() {
    // No format string: it would write digits in the way of the locale.
    String expires = expiresAt == StoredMessage.NO_EXPIRY ? "-" : Long.toString(expiresAt);
    String mark = kind.version + "|" + origin + "|" + attempt + "|" + due + "|" + expires;
    return seen < 0 ? mark : mark + "|" + seen;
  }
}
