package io.delaybridge.bench.speed.micro;

import io.delaybridge.message.Due;
import io.delaybridge.shard.Frontier;
import io.delaybridge.shard.Frontier.Pair;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A frontier of two pairs: the check for each message, and the update in each delivering turn. */
@State(Scope.Benchmark)
public class FrontierBenchmark {

  private static final long NOW = 1_700_000_000_000L;

  private final Frontier frontier =
      Frontier.NONE
          .with(new Pair(1_000_000, new Due(NOW + 5_000, 900_000)))
          .with(new Pair(1_002_000, new Due(NOW, 1_001_000)));
  private Due key = new Due(NOW + 10, 1_001_500);
  private Pair added = new Pair(1_004_000, new Due(NOW + 20, 1_003_000));

  /** Checks a message that is not covered, which is the usual case. */
  @Benchmark
  public boolean covers() {
    return frontier.covers(key);
  }

  /** Adds a pair, which makes an older one redundant. */
  @Benchmark
  public Frontier with() {
    return frontier.with(added);
  }
}
