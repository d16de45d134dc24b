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

  /**
   * A partition takes no records at the moment: all of them wait, since it is not known yet where
   * each will go.
   *
   * @param why for people, with the topic and the partition
   */
  record Unavailable(String why) implements Target {}
}
