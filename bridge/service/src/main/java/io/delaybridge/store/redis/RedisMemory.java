package io.delaybridge.store.redis;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of {@code INFO memory}.
 *
 * @param used bytes
 * @param max bytes, 0 for no limit
 * @param policy what Redis does when the limit is reached; only {@code noeviction} loses nothing
 */
public record RedisMemory(long used, long max, String policy) {

  /** The only policy that loses nothing. */
  public static final String NEEDED_POLICY = "noeviction";

  /** Reads the reply of {@code INFO memory}; a missing field counts as 0 or empty. */
  public static RedisMemory parse(String info) {
    Map<String, String> fields =
        info.lines()
            .filter(line -> line.contains(":"))
            .collect(
                Collectors.toMap(
                    line -> line.substring(0, line.indexOf(':')),
                    line -> line.substring(line.indexOf(':') + 1).strip(),
                    (a, b) -> b));
    return new RedisMemory(
        Long.parseLong(fields.getOrDefault("used_memory", "0")),
        Long.parseLong(fields.getOrDefault("maxmemory", "0")),
        fields.getOrDefault("maxmemory_policy", ""));
  }

  /**
   * Returns the one that most needs attention: a server that may evict data by itself, otherwise
   * the fullest.
   */
  static RedisMemory worst(List<RedisMemory> all) {
    return all.stream()
        .max(
            Comparator.comparing((RedisMemory each) -> !each.losesNothing())
                .thenComparing(RedisMemory::use))
        .orElseThrow();
  }

  /** Whether the policy keeps everything. */
  public boolean losesNothing() {
    return policy.equals(NEEDED_POLICY);
  }

  /** Share of the limit in use, 0 if there is none. */
  public double use() {
    return max == 0 ? 0 : (double) used / max;
  }
}
