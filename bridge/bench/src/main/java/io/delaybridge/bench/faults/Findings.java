package io.delaybridge.bench.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The violations found in a run: their counts, and the first few of each kind as text. */
final class Findings {

  private static final int TOLD = 20;

  private final Map<Violation, Long> counts = new EnumMap<>(Violation.class);
  private final Map<Violation, List<String>> examples = new EnumMap<>(Violation.class);

  synchronized void add(Violation violation, String what) {
    counts.merge(violation, 1L, Long::sum);
    List<String> told = examples.computeIfAbsent(violation, kind -> new ArrayList<>());
    if (told.size() < TOLD) {
      told.add(what);
    }
  }

  synchronized long count(Violation violation) {
    return counts.getOrDefault(violation, 0L);
  }

  /** Returns whether there is a violation other than up to this many duplicates. */
  synchronized boolean isBroken(long repeatsAllowed) {
    return isBroken(counts, repeatsAllowed);
  }

  /** Returns whether these counts contain a violation other than up to this many duplicates. */
  static boolean isBroken(Map<Violation, Long> counts, long repeatsAllowed) {
    return counts.entrySet().stream()
        .anyMatch(
            found ->
                found.getKey() == Violation.DUPLICATED
                    ? found.getValue() > repeatsAllowed
                    : found.getValue() > 0);
  }

  /** Returns one line per example; lists duplicates only if there are more than allowed. */
  synchronized List<String> lines(long repeatsAllowed) {
    if (count(Violation.DUPLICATED) > repeatsAllowed) {
      return lines();
    }
    String allowed = Violation.DUPLICATED + ":";
    return lines().stream().filter(line -> !line.startsWith(allowed)).toList();
  }

  /** Returns one line per example, and one for the number of further violations of a kind. */
  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    examples.forEach(
        (kind, told) -> {
          told.forEach(what -> lines.add(kind + ": " + what));
          long more = counts.getOrDefault(kind, 0L) - told.size();
          if (more > 0) {
            lines.add(kind + ": and " + more + " more");
          }
        });
    return lines;
  }
}
