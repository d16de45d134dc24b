package io.delaybridge.shard;

import java.util.ArrayList;
import java.util.List;

/**
 * Says which longest delay and which horizon apply to which part of the log. They decide whether a
 * record is malformed or far, and thereby its key. A key must come out the same whenever the record
 * is read again. So a change applies from an offset on, and the checkpoint remembers what applied
 * before. See ADR 2.
 *
 * @param rules ascending by offset
 */
public record Admission(List<Rule> rules) {

  /**
   * @param from first intake offset that the rule applies to
   * @param longestDelay milliseconds
   * @param horizon milliseconds after which a message is far, 0 if none is
   */
  public record Rule(long from, long longestDelay, long horizon) {

    boolean saysTheSame(Rule other) {
      return longestDelay == other.longestDelay && horizon == other.horizon;
    }
  }

  /** Copies the list, which must hold at least one rule. */
  public Admission {
    rules = List.copyOf(rules);
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("an admission needs at least one rule");
    }
  }

  /** One limit for the whole log, in milliseconds. */
  public static Admission of(long longestDelay) {
    return of(longestDelay, 0);
  }

  /** One limit and one horizon for the whole log, in milliseconds. */
  public static Admission of(long longestDelay, long horizon) {
    return new Admission(List.of(new Rule(0, longestDelay, horizon)));
  }

  /** The limit for the record at that offset, in milliseconds. */
  public long longestDelay(long offset) {
    return at(offset).longestDelay();
  }

  /** Returns the rule for the record at that offset. */
  public Rule at(long offset) {
    Rule last = rules.get(0);
    for (Rule rule : rules) {
      if (rule.from() <= offset) {
        last = rule;
      }
    }
    return last;
  }

  /** The shortest horizon of all parts that have one, in milliseconds; 0 if none has. */
  long shortestHorizon() {
    return rules.stream().mapToLong(Rule::horizon).filter(each -> each > 0).min().orElse(0);
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
    if (!kept.get(kept.size() - 1).saysTheSame(added)) {
      kept.add(added);
    }
    return new Admission(kept);
  }
}
