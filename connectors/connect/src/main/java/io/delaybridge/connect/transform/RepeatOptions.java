package io.delaybridge.connect.transform;

import io.delaybridge.connect.options.Allowed;
import io.delaybridge.connect.options.Options;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.InstantText;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;

/** The options for the repetition of messages: the same for every record. */
final class RepeatOptions {

  static final String EVERY = "every";
  static final String CRON = "cron";
  static final String ZONE = "zone";
  static final String UNTIL = "until";
  static final String COUNT = "count";
  static final String MISSED = "missed";

  private static final long SHORTEST_MS = 1_000;

  /** The bridge reads at most 18 digits. */
  private static final long MOST = 999_999_999_999_999_999L;

  private static final List<String> MISSED_WORDS =
      List.of(DelayHeaders.MISSED_ONE, DelayHeaders.MISSED_ALL, DelayHeaders.MISSED_SKIP);

  private RepeatOptions() {}

  static void define(Options options) {
    options
        .add(
            EVERY,
            "",
            Allowed.orEmpty(
                "milliseconds or an ISO-8601 duration, a second or more, or empty",
                RepeatOptions::checkEvery),
            List.of("PT15M", "PT1H", "P1D"),
            "Each message repeats after this time, counted from when it is first due.")
        .add(
            CRON,
            "",
            Allowed.orEmpty(
                "5 fields, 6 with seconds first, a macro, or empty", RepeatOptions::checkCron),
            "Each message repeats when this cron expression, or a macro such as @daily, matches; the"
                + " first time then too, unless there is a delay or an instant.")
        .add(
            ZONE,
            "",
            Allowed.orEmpty("an IANA name, or empty", RepeatOptions::checkZone),
            "The zone of cron. Empty: UTC.")
        .add(
            UNTIL,
            "",
            Allowed.orEmpty(InstantText.ALLOWED + ", or empty", InstantText::parse),
            "No occurrence is for a later instant. Empty: no end.")
        .add(
            COUNT,
            0L,
            Allowed.range(0, MOST),
            "How many occurrences there are of each message. 0: no end.")
        .choice(
            MISSED,
            DelayHeaders.MISSED_ONE,
            MISSED_WORDS,
            "What becomes of occurrences whose time has passed without them. one: the first of them"
                + " comes late. all: each comes. skip: none comes.");
  }

  private static void checkEvery(String text) {
    long millis = TimeUnits.delayMillis(text, "ms");
    if (millis < SHORTEST_MS || millis > DelayHeaders.MAX_DELIVER_AT) {
      throw new IllegalArgumentException("shorter than a second, or too long");
    }
  }

  /** Checks the number of fields only; the bridge reads the fields. */
  private static void checkCron(String text) {
    int fields = new StringTokenizer(text.strip(), " \t").countTokens();
    boolean isMacro = fields == 1 && text.strip().startsWith("@");
    if (fields != 5 && fields != 6 && !isMacro) {
      throw new IllegalArgumentException(fields + " fields");
    }
  }

  private static void checkZone(String text) {
    if (!ZoneId.getAvailableZoneIds().contains(text)) {
      throw new IllegalArgumentException("no such zone");
    }
  }

  /**
   * Refuses options that do not fit together.
   *
   * @throws ConfigException if they do not
   */
  static void check(AbstractConfig config) {
    String every = config.getString(EVERY);
    String cron = config.getString(CRON);
    String zone = config.getString(ZONE);
    if (!every.isEmpty() && !cron.isEmpty()) {
      throw Allowed.wrong(CRON, cron, "nothing, because " + EVERY + " is given, too");
    }
    if (!zone.isEmpty() && cron.isEmpty()) {
      throw Allowed.wrong(ZONE, zone, "nothing, because it is for " + CRON);
    }
    if (every.isEmpty() && cron.isEmpty()) {
      String neither = ", because neither " + EVERY + " nor " + CRON + " is given";
      if (!config.getString(UNTIL).isEmpty()) {
        throw Allowed.wrong(UNTIL, config.getString(UNTIL), "nothing" + neither);
      }
      if (config.getLong(COUNT) != 0) {
        throw Allowed.wrong(COUNT, config.getLong(COUNT), "0" + neither);
      }
      if (!config.getString(MISSED).equals(DelayHeaders.MISSED_ONE)) {
        throw Allowed.wrong(MISSED, config.getString(MISSED), DelayHeaders.MISSED_ONE + neither);
      }
    } else if (config.getString(TransformConfig.ID_FIELD).isEmpty()) {
      throw Allowed.wrong(
          TransformConfig.ID_FIELD, "", "a field, because a message that repeats needs an id");
    }
  }

  /** Returns the headers for the repetition; empty if messages do not repeat. */
  static Map<String, String> headers(AbstractConfig config) {
    Map<String, String> headers = new LinkedHashMap<>();
    String every = config.getString(EVERY);
    if (!every.isEmpty()) {
      Duration duration = Duration.ofMillis(TimeUnits.delayMillis(every, "ms"));
      headers.put(DelayHeaders.EVERY, duration.toString());
    }
    put(headers, DelayHeaders.CRON, config.getString(CRON), "");
    put(headers, DelayHeaders.ZONE, config.getString(ZONE), "");
    put(headers, DelayHeaders.UNTIL, config.getString(UNTIL), "");
    put(headers, DelayHeaders.COUNT, Long.toString(config.getLong(COUNT)), "0");
    put(headers, DelayHeaders.MISSED, config.getString(MISSED), DelayHeaders.MISSED_ONE);
    return headers;
  }

  private static void put(Map<String, String> headers, String name, String value, String absent) {
    if (!value.equals(absent)) {
      headers.put(name, value);
    }
  }
}
