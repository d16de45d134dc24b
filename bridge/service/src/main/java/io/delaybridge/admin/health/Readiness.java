package io.delaybridge.admin.health;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.shard.LoopStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What keeps this process from its work: some of the health checks. That messages are late is left
 * out, and so are the token file and the index of dead letters. They would make all bridges unready
 * at the same time, although each delivers and answers calls.
 */
public final class Readiness implements Supplier<List<String>> {

  private static final Duration NEVER = Duration.ofMillis(Long.MAX_VALUE);

  private final Map<String, HealthCheck> checks = new LinkedHashMap<>();

  /** Takes the checks of Kafka and Redis, and what tells the status of each loop. */
  public Readiness(HealthCheck kafka, HealthCheck redis, List<Supplier<LoopStatus>> loops) {
    checks.put("kafka", kafka);
    checks.put("redis", redis);
    for (int i = 0; i < loops.size(); i++) {
      checks.put("loop-" + i, new LoopHealthCheck(loops.get(i), NEVER, InstantSource.system()));
    }
  }

  @Override
  public List<String> get() {
    List<String> problems = new ArrayList<>();
    checks.forEach(
        (name, check) -> {
          HealthCheck.Result result = check.execute();
          if (!result.isHealthy()) {
            problems.add(name + ": " + result.getMessage());
          }
        });
    return problems;
  }
}
