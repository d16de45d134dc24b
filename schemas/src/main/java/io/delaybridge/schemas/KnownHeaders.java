package io.delaybridge.schemas;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which header names are known. The prefix {@value #PREFIX} belongs to the bridge, in this case: a
 * request with any other name of that prefix is most likely a mistake.
 *
 * <p>Each release may know more names than the one before. A record is read again with the names
 * that it was read with first. So a new name has a level, and a record keeps the level that it was
 * first read at; see ADR 39.
 */
public final class KnownHeaders {

  /** The beginning of the name of every header of the bridge, and of no other. */
  public static final String PREFIX = "delay-";

  /** Names that are known from a later level than 0 on. */
  private static final Map<String, Integer> SINCE = Map.of(DelayHeaders.TARGET_PARTITION, 1);

  /** Most characters that are repeated, or looked at, of a name from outside. */
  private static final int SHOWN = 64;

  /** The names that a producer may have meant. */
  private static final List<String> MEANT = meant();

  private KnownHeaders() {}

  private static List<String> meant() {
    Set<String> names = new HashSet<>(DelayHeaders.CONTROL);
    names.removeAll(Set.of(DelayHeaders.LAST, DelayHeaders.PAUSED, DelayHeaders.RETRY));
    names.addAll(DelayHeaders.CONSUMER);
    names.add(DelayHeaders.CALLBACK_URL);
    return names.stream().sorted().toList();
  }

  /** Whether the name begins with {@link #PREFIX}. */
  public static boolean isOurs(String name) {
    return name.startsWith(PREFIX);
  }

  /**
   * Whether a name with that prefix is known.
   *
   * @param level of the record that has the header
   */
  public static boolean isKnown(String name, int level) {
    return DelayHeaders.KNOWN.contains(name) && SINCE.getOrDefault(name, 0) <= level;
  }

  /** Returns what is wrong with an unknown name, in a sentence for who has written it. */
  public static String refusal(String name) {
    String shown = name.length() <= SHOWN ? name : name.substring(0, SHOWN);
    return "%s is not a header of the bridge%s, and names that begin with %s are reserved for it"
        .formatted(
            shown.equals(name) ? name : shown + "...",
            nearest(shown).map(near -> " (did you mean " + near + "?)").orElse(""),
            PREFIX);
  }

  /** Returns the known name that needs the fewest changes, unless the two have little in common. */
  static Optional<String> nearest(String name) {
    String unknown = name.toLowerCase(Locale.ROOT);
    return MEANT.stream()
        .min(Comparator.comparingInt(known -> distance(unknown, known)))
        .filter(
            known ->
                2 * distance(unknown, known)
                    < unknown.length() + known.length() - 2 * PREFIX.length());
  }

  /**
   * Returns how many letters must be added or taken away. One letter in the place of another counts
   * twice, so that {@code delay-ttl} is nearer to {@code delay-ttl-ms} than to {@code delay-id}.
   */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        row[j] = a.charAt(i - 1) == b.charAt(j - 1) ? diagonal : 1 + Math.min(row[j], row[j - 1]);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
