package io.delaybridge.client;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Which header names the bridge knows; a copy of the contract, like {@link Wire}. */
final class Names {

  private static final String PREFIX = "delay-";

  /** The names that a producer may have meant. */
  private static final List<String> MEANT = meant();

  private static final int SHOWN = 64;

  private Names() {}

  private static List<String> meant() {
    Set<String> names = new HashSet<>(Wire.CONTROL);
    names.removeAll(Set.of(Wire.LAST, Wire.PAUSED, Wire.RETRY));
    names.addAll(Wire.CONSUMER);
    names.add(Wire.CALLBACK_URL);
    return names.stream().sorted().toList();
  }

  /**
   * Refuses headers of which one has the prefix of the bridge and a name that it does not know.
   *
   * @throws IllegalArgumentException if there is one
   */
  static void check(Headers headers) {
    for (Header header : headers) {
      String name = header.key();
      if (name.startsWith(PREFIX) && !Wire.KNOWN.contains(name)) {
        throw new IllegalArgumentException(refusal(name));
      }
    }
  }

  static String refusal(String name) {
    String shown = name.length() <= SHOWN ? name : name.substring(0, SHOWN);
    return shown
        + (shown.equals(name) ? "" : "...")
        + " is not a header of the bridge"
        + suggestion(shown.toLowerCase(Locale.ROOT))
        + ", and names that begin with "
        + PREFIX
        + " are reserved for it";
  }

  private static String suggestion(String unknown) {
    String near =
        MEANT.stream()
            .min(Comparator.comparingInt(known -> distance(unknown, known)))
            .orElseThrow();
    int most = unknown.length() + near.length() - 2 * PREFIX.length();
    return 2 * distance(unknown, near) < most ? " (did you mean " + near + "?)" : "";
  }

  /** Returns how many letters must be added or taken away. */
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
        row[j] = a.charAt(i - 1) == b.charAt(j - 1) ? diagonal : 1 + Math.min(above, row[j - 1]);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
