package io.delaybridge.client;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.StringTokenizer;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * How a message repeats.
 *
 * @param everyMs milliseconds, or {@link #UNSET}
 * @param untilMs epoch milliseconds, or {@link #UNSET}
 * @param count at least 1, or {@link #UNSET}
 */
record Repetition(
    long everyMs,
    @Nullable String cron,
    @Nullable String zone,
    long untilMs,
    long count,
    @Nullable Missed missed) {

  static final long UNSET = -1;

  static final Repetition NONE = new Repetition(UNSET, null, null, UNSET, UNSET, null);

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** The bridge reads at most 18 digits. */
  private static final long MOST = 999_999_999_999_999_999L;

  private static final String ALONE = "nothing without " + Wire.EVERY + " or " + Wire.CRON;

  Repetition withEvery(Duration every) {
    if (cron != null) {
      throw Wire.refused(Wire.EVERY, every, "nothing, because " + Wire.CRON + " is given");
    }
    Duration longest = Duration.ofMillis(Wire.MAX_DELIVER_AT);
    if (every.compareTo(SHORTEST) < 0 || every.compareTo(longest) > 0) {
      throw Wire.refused(Wire.EVERY, every, SHORTEST + " to " + longest);
    }
    long millis = Wire.millis(Wire.EVERY, every, Wire.MAX_DELIVER_AT);
    return new Repetition(millis, null, null, untilMs, count, missed);
  }

  Repetition withCron(String expression, @Nullable ZoneId in) {
    if (everyMs != UNSET) {
      throw Wire.refused(
          Wire.CRON, Wire.shortened(expression), "nothing, because " + Wire.EVERY + " is given");
    }
    int fields =
        expression == null ? 0 : new StringTokenizer(expression.strip(), " \t").countTokens();
    if (fields != 5 && fields != 6 && !(fields == 1 && expression.strip().startsWith("@"))) {
      throw Wire.refused(
          Wire.CRON,
          Wire.shortened(expression),
          "5 fields, 6 with seconds first, or a macro such as @daily");
    }
    return new Repetition(UNSET, expression, in == null ? null : name(in), untilMs, count, missed);
  }

  private static String name(ZoneId zone) {
    String name = zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
    if (!ZoneId.getAvailableZoneIds().contains(name)) {
      throw Wire.refused(Wire.ZONE, name, "an IANA name such as Europe/Berlin");
    }
    return name;
  }

  Repetition withUntil(Instant until) {
    // Parts of a millisecond are cut off, not rounded up: nothing may be later than this.
    long millis = Wire.millis(Wire.UNTIL, until.truncatedTo(ChronoUnit.MILLIS));
    return new Repetition(everyMs, cron, zone, millis, count, missed);
  }

  Repetition withCount(long most) {
    if (most < 1 || most > MOST) {
      throw Wire.refused(Wire.COUNT, most, "1 to " + MOST);
    }
    return new Repetition(everyMs, cron, zone, untilMs, most, missed);
  }

  Repetition withMissed(Missed other) {
    return new Repetition(everyMs, cron, zone, untilMs, count, other);
  }

  /**
   * Refuses settings that do not fit together.
   *
   * @param firstMs time of the first occurrence, or the earliest possible one, epoch milliseconds
   */
  void check(@Nullable String id, long firstMs) {
    if (everyMs == UNSET && cron == null) {
      if (untilMs != UNSET) {
        throw Wire.refused(Wire.UNTIL, Instant.ofEpochMilli(untilMs), ALONE);
      }
      if (count != UNSET) {
        throw Wire.refused(Wire.COUNT, count, ALONE);
      }
      if (missed != null) {
        throw Wire.refused(Wire.MISSED, missed.word(), ALONE);
      }
      return;
    }
    if (id == null) {
      throw Wire.refused(Wire.ID, "missing", "an id, because a message that repeats needs one");
    }
    if (untilMs != UNSET && untilMs < firstMs) {
      throw Wire.refused(
          Wire.UNTIL,
          Instant.ofEpochMilli(untilMs),
          Instant.ofEpochMilli(firstMs) + " or later, because the first occurrence is not earlier");
    }
  }

  void write(Headers headers) {
    if (everyMs != UNSET) {
      Wire.put(headers, Wire.EVERY, Duration.ofMillis(everyMs));
    }
    if (cron != null) {
      Wire.put(headers, Wire.CRON, cron);
    }
    if (zone != null) {
      Wire.put(headers, Wire.ZONE, zone);
    }
    if (untilMs != UNSET) {
      Wire.put(headers, Wire.UNTIL, untilMs);
    }
    if (count != UNSET) {
      Wire.put(headers, Wire.COUNT, count);
    }
    if (missed != null) {
      Wire.put(headers, Wire.MISSED, missed.word());
    }
  }
}
