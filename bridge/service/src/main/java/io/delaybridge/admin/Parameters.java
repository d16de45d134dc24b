package io.delaybridge.admin;

import jakarta.ws.rs.core.Response.Status;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The parameters that a call takes: each at most once, with a value of its type. */
public final class Parameters {

  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern TRUTH = Pattern.compile("true|false");
  private static final Map<Class<?>, Pattern> FORMS =
      Map.of(
          int.class,
          WHOLE,
          Integer.class,
          WHOLE,
          long.class,
          WHOLE,
          Long.class,
          WHOLE,
          boolean.class,
          TRUTH,
          Boolean.class,
          TRUTH);

  private final SortedMap<String, Class<?>> known;

  /** Takes their names and types. */
  public Parameters(Map<String, Class<?>> known) {
    this.known = new TreeMap<>(known);
  }

  /**
   * Checks what a call has.
   *
   * @throws Problem with status 400, which names the parameter and what is allowed
   */
  public void check(Map<String, List<String>> given) {
    // In the order of the names, so that the same call has the same answer.
    new TreeMap<>(given).forEach(this::check);
  }

  private void check(String name, List<String> values) {
    Class<?> type = known.get(name);
    if (type == null) {
      String allowed = known.isEmpty() ? "none" : String.join(", ", known.keySet());
      throw wrong("unknown parameter '%s'".formatted(Problem.shown(name)), allowed);
    }
    if (values.size() > 1) {
      throw wrong("%s is given %d times".formatted(name, values.size()), "once");
    }
    String value = values.get(0);
    if (value.isBlank()) {
      throw wrong(name + " is empty", Allowed.of(type));
    }
    Pattern form = FORMS.get(type);
    if (form != null && !form.matcher(value).matches()) {
      throw wrong("%s is '%s'".formatted(name, Problem.shown(value)), Allowed.of(type));
    }
  }

  private static Problem wrong(String what, String allowed) {
    return Problem.of(Status.BAD_REQUEST, what + ", allowed: " + allowed);
  }
}
