package io.delaybridge.message;

import io.delaybridge.schemas.StoredMessage;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the header {@code delay-retry} says: {@code v1|origin|attempt|due|expires}, the last one
 * {@code -} for no expiry. The bridge writes it on the copy that it puts back to the intake;
 * everything else of the message stays as its producer wrote it. A copy in the later topic, and one
 * that comes home from there, has {@code v2} in the place of {@code v1}; see ADR 32.
 *
 * @param origin intake offset of the first attempt
 * @param attempt the attempt that the copy is for; 1 if the message was moved before its first
 * @param due epoch milliseconds
 * @param expiresAt epoch milliseconds or {@link StoredMessage#NO_EXPIRY}
 * @param isOfLap true for a copy that takes laps, or comes home from them: its place among those
 *     that are due with it is that of its origin
 */
public record RetryMark(long origin, int attempt, long due, long expiresAt, boolean isOfLap) {

  private static final Pattern FORM =
      Pattern.compile("v([12])\\|([0-9]{1,18})\\|([0-9]{1,9})\\|([0-9]{1,15})\\|([0-9]{1,18}|-)");

  /** Reads what {@link #toString} wrote; empty if it is anything else. */
  public static Optional<RetryMark> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String expires = form.group(5);
    RetryMark mark =
        new RetryMark(
            Long.parseLong(form.group(2)),
            Integer.parseInt(form.group(3)),
            Long.parseLong(form.group(4)),
            expires.equals("-") ? StoredMessage.NO_EXPIRY : Long.parseLong(expires),
            form.group(1).equals("2"));
    return mark.attempt < 1 ? Optional.empty() : Optional.of(mark);
  }

  /** The value of the header. */
  @Override
  public String toString() {
    // Not by a format: that writes digits as the locale wants them.
    String expires = expiresAt == StoredMessage.NO_EXPIRY ? "-" : Long.toString(expiresAt);
    return (isOfLap ? "v2|" : "v1|") + origin + "|" + attempt + "|" + due + "|" + expires;
  }
}
