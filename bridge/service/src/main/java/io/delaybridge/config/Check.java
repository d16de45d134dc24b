package io.delaybridge.config;

import io.dropwizard.util.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Checks configured values. Each failure names the key, the value and what is allowed. */
final class Check {

  private static final int MAX_TOPIC = 249;

  private Check() {}

  static int range(String key, @Nullable Integer value, int absent, int min, int max) {
    int number = value == null ? absent : value;
    if (number < min || number > max) {
      throw wrong(key, number, min + " to " + max);
    }
    return number;
  }

  static Duration range(
      String key, @Nullable Duration value, Duration absent, Duration min, Duration max) {
    Duration duration = value == null ? absent : value;
    if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
      throw wrong(key, duration, min + " to " + max);
    }
    return duration;
  }

  static String text(String key, @Nullable String value, String absent) {
    String text = value == null ? absent : value.strip();
    if (text.isEmpty()) {
      throw wrong(key, "''", "a text that is not empty");
    }
    return text;
  }

  static String topic(String key, String value) {
    return topic(key, value, 0);
  }

  /**
   * @param appended length of what is appended to the name for another topic
   */
  static String topic(String key, String value, int appended) {
    int most = MAX_TOPIC - appended;
    if (!value.matches("[a-zA-Z0-9._-]{1," + most + "}")
        || value.equals(".")
        || value.equals("..")) {
      throw wrong(key, "'" + value + "'", "1 to " + most + " letters, digits, '.', '_' and '-'");
    }
    return value;
  }

  static Duration longestDelay(String key, @Nullable Duration value) {
    return range(key, value, Duration.days(365), Duration.seconds(1), Duration.days(3650));
  }

  /** At most the time that a loop waits anyway. */
  static Duration tolerance(String key, @Nullable Duration value) {
    return range(
        key,
        value,
        Duration.milliseconds(10),
        Duration.milliseconds(0),
        Duration.milliseconds(500));
  }

  /** 0 for no horizon. A horizon of less than 2 seconds has no room for the shortest lap. */
  static Duration horizon(String key, @Nullable Duration value) {
    Duration horizon = value == null ? Duration.days(1) : value;
    boolean tooShort = horizon.compareTo(Duration.seconds(2)) < 0;
    if ((tooShort && horizon.toNanoseconds() > 0) || horizon.compareTo(Duration.days(3650)) > 0) {
      throw wrong(key, horizon, "0 seconds, or 2 seconds to 3650 days");
    }
    return horizon;
  }

  /** At most half of the horizon, so that a message that comes home has as much time left. */
  static Duration lap(String key, @Nullable Duration value, Duration horizon) {
    Duration half = Duration.milliseconds(Math.max(1_000, horizon.toMilliseconds() / 2));
    Duration lap = range(key, value, half, Duration.seconds(1), Duration.days(3650));
    if (horizon.toMilliseconds() > 0 && lap.compareTo(half) > 0) {
      throw wrong(key, lap, "at most half of the horizon, which is " + horizon);
    }
    return lap;
  }

  /** Whether unknown headers pass. */
  static boolean passes(String key, String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "reject" -> false;
      case "pass" -> true;
      default -> throw wrong(key, "'" + text + "'", "reject or pass");
    };
  }

  /** A list without empty items. A variable that is not set leaves an empty item. */
  static List<String> items(String key, List<String> given) {
    if (given.stream().anyMatch(Objects::isNull)) {
      throw wrong(key, given, "no empty items");
    }
    return List.copyOf(given);
  }

  static List<Pattern> patterns(String key, List<String> given) {
    return items(key, given).stream().map(text -> pattern(key, text)).toList();
  }

  private static Pattern pattern(String key, String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw wrong(key, "'" + text + "'", "regular expressions (" + e.getDescription() + ")");
    }
  }

  static IllegalArgumentException wrong(String key, Object value, String allowed) {
    return new IllegalArgumentException("%s is %s, allowed: %s".formatted(key, value, allowed));
  }
}
