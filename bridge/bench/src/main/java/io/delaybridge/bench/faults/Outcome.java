package io.delaybridge.bench.faults;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The result of a run. It is stored in a file, from which the report is made.
 *
 * @param row name of the row
 * @param fault description of the fault in the report
 * @param messages number of messages that were accounted for
 * @param injections number of faults that happened
 * @param kinds number of injections by kind, if the row has several kinds
 * @param repeatsAllowed documented bound on duplicates, computed for this run
 * @param violations number of violations by kind; includes duplicates within the bound
 * @param frontierLooks how often checkpoints were compared with arrivals while the faults happened
 * @param longestStallMs longest time that a due message waited for a reader
 * @param seconds duration of the run
 * @param kept whether every promise was kept
 * @param findings descriptions of the violations
 */
record Outcome(
    String row,
    String fault,
    Guarantee guarantee,
    int messages,
    int injections,
    Map<String, Integer> kinds,
    long repeatsAllowed,
    Map<Violation, Long> violations,
    long frontierLooks,
    long longestStallMs,
    long seed,
    long seconds,
    Provenance provenance,
    boolean kept,
    List<String> findings) {

  Outcome {
    kinds = new TreeMap<>(kinds);
    violations = new EnumMap<>(violations);
    findings = List.copyOf(findings);
  }

  static Outcome of(Run<?> run, History history, Judge judge, Findings findings, Extent extent) {
    long allowed = run.row().repeats(run.guarantee()).most(history);
    Map<Violation, Long> violations = new EnumMap<>(Violation.class);
    for (Violation each : Violation.values()) {
      violations.put(each, findings.count(each));
    }
    return new Outcome(
        run.row().name(),
        run.row().title(),
        run.guarantee(),
        run.row().shape().messages(),
        history.injections().size(),
        extent.kinds(),
        allowed,
        violations,
        extent.frontierLooks(),
        judge.longestStall(),
        run.seed(),
        TimeUnit.NANOSECONDS.toSeconds(extent.nanos()),
        Provenance.now(),
        !findings.isBroken(allowed),
        findings.lines(allowed));
  }

  /** Further figures of a run. */
  record Extent(Map<String, Integer> kinds, long frontierLooks, long nanos) {}

  long count(Violation violation) {
    return violations.getOrDefault(violation, 0L);
  }

  /** Returns the outcome as one line. */
  String summary() {
    return "%s %s: %s: %d messages, %d injections, %d lost, %d duplicated (%d allowed), %d early, longest stall %.1f s, %d s, seed %d"
        .formatted(
            row,
            guarantee.key(),
            kept ? "kept" : "BROKEN",
            messages,
            injections,
            count(Violation.LOST),
            count(Violation.DUPLICATED),
            repeatsAllowed,
            count(Violation.EARLY),
            longestStallMs / 1000.0,
            seconds,
            seed);
  }
}
