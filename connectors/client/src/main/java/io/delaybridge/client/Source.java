package io.delaybridge.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a record, written as {@code topic/partition/offset}.
 *
 * @param topic the topic
 * @param partition at least 0
 * @param offset at least 0
 */
public record Source(String topic, int partition, long offset) {

  private static final Pattern FORM =
      Pattern.compile("([a-zA-Z0-9._-]{1,249})/([0-9]{1,9})/([0-9]{1,18})");

  /**
   * Parses the output of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static Source parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw Wire.refused("source", Wire.shortened(text), "topic/partition/offset");
    }
    return new Source(
        form.group(1), Integer.parseInt(form.group(2)), Long.parseLong(form.group(3)));
  }

  /** Returns {@code topic/partition/offset}. */
  @Override
  public String toString() {
    return topic + "/" + partition + "/" + offset;
  }
}
