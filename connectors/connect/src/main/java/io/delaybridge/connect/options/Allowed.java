package io.delaybridge.connect.options;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.errors.DataException;

/**
 * The allowed values of an option. Each validator describes them in words, for messages and
 * documentation. All but {@link #anyOrNone} refuse null.
 */
public final class Allowed {

  private static final String TOPIC = "[a-zA-Z0-9._-]{1,249}";

  private Allowed() {}

  /** Allows anything. */
  public static Validator any(String words) {
    return given(words, (name, value) -> {});
  }

  /** Allows anything, and null, for an option that is left out. */
  public static Validator anyOrNone(String words) {
    return ConfigDef.LambdaValidator.with((name, value) -> {}, () -> words);
  }

  /**
   * A null is one in the JSON of a connector, a required option that is left out, or what Kafka
   * could not parse.
   */
  private static Validator given(String words, BiConsumer<String, Object> check) {
    return ConfigDef.LambdaValidator.with(
        (name, value) -> {
          if (value == null) {
            throw wrong(name, "null", words);
          }
          check.accept(name, value);
        },
        () -> words);
  }

  /** Allows a whole number in this range, both ends included. */
  public static Validator range(long min, long max) {
    String words = min + " to " + max;
    return given(
        words,
        (name, value) -> {
          long number = ((Number) value).longValue();
          if (number < min || number > max) {
            throw wrong(name, value, words);
          }
        });
  }

  /** Allows one of these words. */
  public static Validator oneOf(List<String> choice) {
    String words = String.join(", ", choice);
    return given(
        words,
        (name, value) -> {
          if (!choice.contains(value)) {
            throw wrong(name, value, words);
          }
        });
  }

  /** Allows the name of a topic. */
  public static Validator topic() {
    return text(
        "a topic name",
        text -> {
          if (!text.matches(TOPIC) || text.equals(".") || text.equals("..")) {
            throw new IllegalArgumentException("not a legal topic name");
          }
        });
  }

  /** Allows any text that is not empty. */
  public static Validator text() {
    return text(
        "not empty",
        text -> {
          if (text.isBlank()) {
            throw new IllegalArgumentException("empty");
          }
        });
  }

  /**
   * Allows a text.
   *
   * @param words the allowed values
   * @param check throws {@link IllegalArgumentException} or {@link DataException} if it is not
   *     allowed
   */
  public static Validator text(String words, Consumer<String> check) {
    return given(words, (name, value) -> check(name, value, words, check));
  }

  /** As {@link #text(String, Consumer)}, but an empty text is also allowed, without a check. */
  public static Validator orEmpty(String words, Consumer<String> check) {
    return text(
        words,
        text -> {
          if (!text.isEmpty()) {
            check.accept(text);
          }
        });
  }

  /** Allows a list whose elements are each checked as in {@link #text(String, Consumer)}. */
  public static Validator each(String words, Consumer<String> check) {
    return given(
        words,
        (name, value) -> {
          for (Object element : (List<?>) value) {
            check(name, element, words, check);
          }
        });
  }

  /** As {@link #each}, with at least one element. */
  public static Validator some(String words, Consumer<String> check) {
    Validator each = each(words, check);
    return given(
        words,
        (name, value) -> {
          if (((List<?>) value).isEmpty()) {
            throw wrong(name, "", words);
          }
          each.ensureValid(name, value);
        });
  }

  private static void check(String name, Object value, String words, Consumer<String> check) {
    try {
      check.accept((String) value);
    } catch (IllegalArgumentException | DataException e) {
      ConfigException wrong = wrong(name, value, words);
      wrong.initCause(e);
      throw wrong;
    }
  }

  /** Returns an exception in the common form of all messages: key, value, allowed values. */
  public static ConfigException wrong(String name, Object value, String words) {
    return new ConfigException(name + " is '" + value + "', allowed: " + words);
  }
}
