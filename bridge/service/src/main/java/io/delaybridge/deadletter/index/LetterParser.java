package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Reads what the headers of a dead letter say. Pure; never throws. */
final class LetterParser {

  private static final int MAX_DETAIL = 300;
  private static final int MAX_NAME = 256;
  private static final long NOWHERE = -1;
  private static final Pattern REASON = Pattern.compile("[A-Z0-9_]{1,64}");

  private LetterParser() {}

  /**
   * The dead letter, or empty if the record is not one that a bridge has written: it lacks the
   * source or the reason, or they are not what a bridge writes.
   *
   * @param timestamp of the record, for a letter that does not say when it died
   */
  static Optional<DeadLetter> parse(Source position, Headers headers, long timestamp, int bytes) {
    Optional<Source> source =
        source(text(headers, DelayHeaders.SOURCE)).map(record -> occurrence(headers, record));
    String reason = text(headers, DelayHeaders.DEAD_REASON);
    if (source.isEmpty() || reason == null || !REASON.matcher(reason).matches()) {
      return Optional.empty();
    }
    String detail = text(headers, DelayHeaders.DEAD_DETAIL);
    return Optional.of(
        new DeadLetter(
            source.get(),
            position,
            shortened(text(headers, DelayHeaders.TARGET_TOPIC), MAX_NAME),
            shortened(text(headers, DelayHeaders.ID), MAX_NAME),
            reason.intern(),
            String.valueOf(shortened(detail == null ? "" : detail, MAX_DETAIL)),
            at(headers, timestamp),
            (int) number(headers, DelayHeaders.ATTEMPT, 1),
            (int) number(headers, DelayHeaders.REPLAY, 0),
            bytes,
            content(headers, source.get(), position)));
  }

  /** Each occurrence of a message that repeats may die, and all have its source. */
  private static Source occurrence(Headers headers, Source record) {
    return headers.lastHeader(DelayHeaders.SCHEDULE) == null
        ? record
        : new Source(
            record.topic(),
            record.partition(),
            record.offset(),
            (int) number(headers, DelayHeaders.OCCURRENCE, 0));
  }

  /**
   * Where the content is, on the intake of the letter or its later topic; null if the letter has it
   * itself. A letter that points elsewhere was not written by a bridge, and whoever may see this
   * intake would see another one through it. So its content is nowhere: it is not that of the
   * letter, which has no value.
   */
  private static @Nullable Source content(Headers headers, Source source, Source position) {
    String text = text(headers, DelayHeaders.DEAD_CONTENT);
    if (text == null) {
      return null;
    }
    Set<String> allowed = Set.of(source.topic(), DelayTopics.laterOf(source.topic()));
    return source(text)
        .filter(content -> allowed.contains(content.topic()))
        .orElse(new Source(position.topic(), position.partition(), NOWHERE));
  }

  /**
   * When it died, which was before it was written. The time of a clock that is ahead would make
   * everything that died since look old.
   */
  private static long at(Headers headers, long timestamp) {
    long written = Math.max(0, timestamp);
    long said = number(headers, DelayHeaders.DEAD_AT, written);
    return written == 0 ? said : Math.min(said, written);
  }

  /**
   * Reads the text of a source; empty if it is anything else. There are few topics, so a hundred
   * thousand letters should not hold a hundred thousand copies of their names.
   */
  static Optional<Source> source(@Nullable String text) {
    return Source.parse(text == null ? "" : text).map(Source::shared);
  }

  /** The last value: a bridge appends its own headers after those of the producer. */
  private static @Nullable String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null
        ? null
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static long number(Headers headers, String name, long absent) {
    String text = text(headers, name);
    boolean small = !name.equals(DelayHeaders.DEAD_AT);
    return text != null && text.matches(small ? "[0-9]{1,9}" : "[0-9]{1,15}")
        ? Long.parseLong(text)
        : absent;
  }

  private static @Nullable String shortened(@Nullable String text, int length) {
    return text == null || text.length() <= length ? text : text.substring(0, length) + "...";
  }
}
