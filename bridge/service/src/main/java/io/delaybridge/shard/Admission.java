package io.delaybridge.shard;

import java.util.ArrayList;
import java.util.List;

/**
 * Which longest delay applies to which part of the log. The limit decides whether a record is
 * malformed and thereby its key, and a key must come out the same whenever the record is read
 * again; so a changed limit applies from an offset on, and the checkpoint remembers the earlier
 * ones. See ADR 2.
 *
 * @param rules ascending by offset
 */
public record Admission(List<Rule> rules) {

  /**
   * @param from first intake offset that the limit applies to
   * @param longestDelay milliseconds
   */
  public record Rule(long from, long longestDelay) {}

  /** Copies the list, which must hold at least one rule. */
  public Admission {
    rules = List.copyOf(rules);
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("an admission needs at least one rule");
    }
  }

  /** One limit for the whole log, in milliseconds. */
  public static Admission of(long longestDelay) {
    return new Admission(List.of(new Rule(0, longestDelay)));
  }

  /** The limit for the record at that offset, in milliseconds. */
  public long longestDelay(long offset) {
    long limit = rules.get(0).longestDelay();
    for (Rule rule : rules) {
      if (rule.from() <= offset) {
        limit = rule.longestDelay();
      }
    }
    return limit;
  }

  /**
   * The same limits up to {@code offset} and {@code longestDelay} from there on.
   *
   * @param logStart rules that speak only of offsets below it are dropped
   */
  public Admission from(long offset, long longestDelay, long logStart) {
    List<Rule> kept = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      boolean ended = i + 1 < rules.size() && rules.get(i + 1).from() <= logStart;
      if (!ended && (i == 0 || kept.isEmpty() || rules.get(i).from() < offset)) {
        kept.add(rules.get(i));
      }
    }
    if (kept.get(kept.size() - 1).longestDelay() != longestDelay) {
      kept.add(new Rule(offset, longestDelay));
    }
    return new Admission(kept);
  }
}
