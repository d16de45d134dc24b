package io.delaybridge.client;

/** A message with an id that takes the place of the pending one; still to be said: where to. */
public final class Replacement {

  private final String id;

  Replacement(String id) {
    this.id = id;
  }

  /**
   * To this topic; see {@link DelayedRecords#to}.
   *
   * @throws IllegalArgumentException if Kafka would refuse the name
   */
  public When to(String target) {
    return DelayedRecords.to(target).withId(id);
  }

  /** To the default target of the intake; see {@link DelayedRecords#toDefaultTarget}. */
  public When toDefaultTarget() {
    return DelayedRecords.toDefaultTarget().withId(id);
  }
}
