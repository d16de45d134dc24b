package io.delaybridge.bench.faults;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * How a run went; kept as a file, from which the report is made.
 *
 * @param row its name
 * @param fault as the report has it
 * @param messages that were accounted for
 * @param injections that happened
 * @param kinds of injections, where a row has several
 * @param repeatsAllowed documented bound on duplicates, as a number that follows from this run
 * @param violations how many of each kind; duplicates within the bound are in here too
 * @param frontierLooks how often checkpoints were held against arrivals while the faults happened
 * @param longestStallMs longest time that a message was due and no reader had it
 * @param seconds the run took
 * @param kept true if every promise was
 * @param findings what is wrong, in words
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

  /** What else is counted of a run. */
  record Extent(Map<String, Integer> kinds, long frontierLooks, long nanos) {}

  long count(Violation violation) {
    return violations.getOrDefault(violation, 0L);
  }

  /** One line. */
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
