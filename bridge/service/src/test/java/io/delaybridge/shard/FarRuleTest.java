package io.delaybridge.shard;

import org.junit.jupiter.api.BeforeEach;

/** A {@link RuleTest} with a horizon from its beginning. Times are milliseconds. */
abstract class FarRuleTest extends RuleTest {

  static final long HORIZON = 10_000;
  static final long LAP = 4_000;

  /** From then on, a message is far for a whole lap. */
  static final long DUE = HORIZON + LAP;

  @BeforeEach
  void withAHorizon() {
    horizon(HORIZON, LAP);
  }
}
