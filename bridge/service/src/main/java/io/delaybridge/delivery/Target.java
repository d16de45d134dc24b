package io.delaybridge.delivery;

/** What is known of a target topic. */
public sealed interface Target {

  /**
   * Records can be sent.
   *
   * @param maxBytes largest record batch it takes, {@link Integer#MAX_VALUE} if not known
   */
  record Available(int maxBytes) implements Target {}

  /** There is no topic of that name. */
  record Missing() implements Target {}

  /** The bridge may not see it. */
  record Unauthorized() implements Target {}

  /** A partition has no leader at the moment. */
  record Leaderless(int partition) implements Target {}
}
