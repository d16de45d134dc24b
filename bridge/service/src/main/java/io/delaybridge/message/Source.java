package io.delaybridge.message;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The intake record that a message came from; its name towards users, as {@code
 * topic/partition/offset}, or {@code topic/partition/offset-occurrence}.
 *
 * @param topic intake topic
 * @param partition intake partition
 * @param offset intake offset of the first attempt, constant over all retries
 * @param occurrence which one, if a message that repeats was requested there; 0 for the message
 *     itself
 */
public record Source(String topic, int partition, long offset, int occurrence) {

  private static final Pattern FORM =
      Pattern.compile("([a-zA-Z0-9._-]{1,249})/([0-9]{1,9})/([0-9]{1,18})(?:-([1-9][0-9]{0,8}))?");

  /** Reads what {@link #toString} writes; empty if the text is anything else. */
  public static Optional<Source> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(
            new Source(
                form.group(1),
                Integer.parseInt(form.group(2)),
                Long.parseLong(form.group(3)),
                form.group(4) == null ? 0 : Integer.parseInt(form.group(4))))
        : Optional.empty();
  }

  /** Of the message itself. */
  public Source(String topic, int partition, long offset) {
    this(topic, partition, offset, 0);
  }

  /** The same source with a topic name that is in memory only once. */
  public Source shared() {
    return new Source(topic.intern(), partition, offset, occurrence);
  }

  @Override
  public String toString() {
    String record = topic + "/" + partition + "/" + offset;
    return occurrence == 0 ? record : record + "-" + occurrence;
  }
}
