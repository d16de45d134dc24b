package io.delaybridge.bench.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What was found to be wrong: how often, and the first few of each kind in words. */
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

  /** True if something is wrong beyond this many duplicates. */
  synchronized boolean isBroken(long repeatsAllowed) {
    return isBroken(counts, repeatsAllowed);
  }

  /** True if these counts are more than this many duplicates. */
  static boolean isBroken(Map<Violation, Long> counts, long repeatsAllowed) {
    return counts.entrySet().stream()
        .anyMatch(
            found ->
                found.getKey() == Violation.DUPLICATED
                    ? found.getValue() > repeatsAllowed
                    : found.getValue() > 0);
  }

  /** One line per kind and example; duplicates only if there are more than are allowed. */
  synchronized List<String> lines(long repeatsAllowed) {
    if (count(Violation.DUPLICATED) > repeatsAllowed) {
      return lines();
    }
    String allowed = Violation.DUPLICATED + ":";
    return lines().stream().filter(line -> !line.startsWith(allowed)).toList();
  }

  /** One line per kind and example. */
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
