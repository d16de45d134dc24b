package io.delaybridge.delivery;

/** The known state of a target topic. */
public sealed interface Target {

  /**
   * Records can be sent.
   *
   * @param maxBytes largest record batch that the topic accepts, {@link Integer#MAX_VALUE} if not
   *     known
   * @param partitions how many the topic has
   */
  record Available(int maxBytes, int partitions) implements Target {}

  /** There is no topic of that name. */
  record Missing() implements Target {}

  /** The bridge may not see the topic. */
  record Unauthorized() implements Target {}

  /**
   * A partition accepts no records at the moment. All records for the topic wait, because it is not
   * known yet which partition each will go to.
   *
   * @param why for people, with the topic and the partition
   */
  record Unavailable(String why) implements Target {}
}
