package io.delaybridge.connect.options;

import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.errors.DataException;

/** The allowed values of an option. Each can say so in words, for messages and documentation. */
public final class Allowed {

  private static final String TOPIC = "[a-zA-Z0-9._-]{1,249}";

  private Allowed() {}

  /** Anything. */
  public static Validator any(String words) {
    return ConfigDef.LambdaValidator.with((name, value) -> {}, () -> words);
  }

  /** A whole number, both ends included. */
  public static Validator range(long min, long max) {
    String words = min + " to " + max;
    return ConfigDef.LambdaValidator.with(
        (name, value) -> {
          long number = ((Number) value).longValue();
          if (number < min || number > max) {
            throw wrong(name, value, words);
          }
        },
        () -> words);
  }

  /** One of these words. */
  public static Validator oneOf(List<String> choice) {
    String words = String.join(", ", choice);
    return ConfigDef.LambdaValidator.with(
        (name, value) -> {
          if (!choice.contains(value)) {
            throw wrong(name, value, words);
          }
        },
        () -> words);
  }

  /** The name of a topic. */
  public static Validator topic() {
    return text(
        "a topic name",
        text -> {
          if (!text.matches(TOPIC) || text.equals(".") || text.equals("..")) {
            throw new IllegalArgumentException("not a legal topic name");
          }
        });
  }

  /** A text that is not empty. */
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
   * A text; null, for an option that is left out, is always allowed.
   *
   * @param words what is allowed
   * @param check throws {@link IllegalArgumentException} or {@link DataException} if it is not
   */
  public static Validator text(String words, Consumer<String> check) {
    return ConfigDef.LambdaValidator.with(
        (name, value) -> {
          if (value != null) {
            check(name, value, words, check);
          }
        },
        () -> words);
  }

  /** As {@link #text(String, Consumer)}; an empty text is allowed, too, and not checked. */
  public static Validator orEmpty(String words, Consumer<String> check) {
    return text(
        words,
        text -> {
          if (!text.isEmpty()) {
            check.accept(text);
          }
        });
  }

  /** A list, each element of which is checked as in {@link #text(String, Consumer)}. */
  public static Validator each(String words, Consumer<String> check) {
    return ConfigDef.LambdaValidator.with(
        (name, value) -> {
          for (Object element : (List<?>) value) {
            check(name, element, words, check);
          }
        },
        () -> words);
  }

  /** As {@link #each}, of at least one element. */
  public static Validator some(String words, Consumer<String> check) {
    Validator each = each(words, check);
    return ConfigDef.LambdaValidator.with(
        (name, value) -> {
          if (((List<?>) value).isEmpty()) {
            throw wrong(name, "", words);
          }
          each.ensureValid(name, value);
        },
        () -> words);
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

  /** The one form of all messages: key, value, what is allowed. */
  public static ConfigException wrong(String name, Object value, String words) {
    return new ConfigException(name + " is '" + value + "', allowed: " + words);
  }
}
