package io.delaybridge.shard;

import io.delaybridge.message.Reading;
import java.util.ArrayList;
import java.util.List;

/**
 * Says how which part of the log is read. That decides whether a record is malformed or far, and
 * thereby its key. A key must come out the same whenever the record is read again. So a change
 * applies from an offset on, and the checkpoint remembers what applied before. See ADR 2.
 *
 * @param rules ascending by offset
 */
public record Admission(List<Rule> rules) {

  /**
   * @param from first intake offset that the rule applies to
   */
  public record Rule(long from, Reading reading) {}

  /** Copies the list, which must hold at least one rule. */
  public Admission {
    rules = List.copyOf(rules);
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("an admission needs at least one rule");
    }
  }

  /** The whole log is read in one way. */
  public static Admission of(Reading reading) {
    return new Admission(List.of(new Rule(0, reading)));
  }

  /** Returns how the record at that offset is read. */
  public Reading at(long offset) {
    Rule last = rules.get(0);
    for (Rule rule : rules) {
      if (rule.from() <= offset) {
        last = rule;
      }
    }
    return last.reading();
  }

  /** Whether all of the log from the offset of this rule on is read as it says. */
  boolean says(Rule rule) {
    return at(rule.from()).equals(rule.reading())
        && rules.stream()
            .filter(later -> later.from() > rule.from())
            .allMatch(later -> later.reading().equals(rule.reading()));
  }

  /** The shortest horizon of all parts that have one, in milliseconds; 0 if none has. */
  long shortestHorizon() {
    return rules.stream()
        .mapToLong(rule -> rule.reading().horizon())
        .filter(each -> each > 0)
        .min()
        .orElse(0);
  }

  /**
   * The same up to the offset of this rule, and this rule from there on.
   *
   * @param logStart rules that apply only to offsets below it are dropped
   */
  public Admission with(Rule added, long logStart) {
    List<Rule> kept = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      boolean ended = i + 1 < rules.size() && rules.get(i + 1).from() <= logStart;
      if (!ended && (i == 0 || kept.isEmpty() || rules.get(i).from() < added.from())) {
        kept.add(rules.get(i));
      }
    }
    if (!kept.get(kept.size() - 1).reading().equals(added.reading())) {
      kept.add(added);
    }
    return new Admission(kept);
  }
}
