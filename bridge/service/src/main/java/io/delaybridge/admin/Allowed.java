package io.delaybridge.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Describes a value of a Java type for somebody who does not know Java. */
public final class Allowed {

  private static final Set<Class<?>> WHOLE =
      Set.of(
          int.class,
          Integer.class,
          long.class,
          Long.class,
          short.class,
          Short.class,
          byte.class,
          Byte.class);
  private static final Set<Class<?>> FRACTION =
      Set.of(double.class, Double.class, float.class, Float.class);

  private Allowed() {}

  /** In words, for the end of a sentence. */
  public static String of(Class<?> type) {
    if (WHOLE.contains(type)) {
      return "a whole number";
    }
    if (FRACTION.contains(type)) {
      return "a number";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type == String.class) {
      return "text";
    }
    if (type == Instant.class) {
      return "an instant such as 2030-01-31T08:00:00Z";
    }
    if (type == Duration.class) {
      return "a duration such as PT30M";
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(String::valueOf)
          .collect(Collectors.joining(", "));
    }
    if (type.isArray() || Collection.class.isAssignableFrom(type)) {
      return "an array";
    }
    return type.isRecord() || Map.class.isAssignableFrom(type) ? "an object" : "see /openapi.json";
  }
}
