package io.delaybridge.client;

/** A message with an id that replaces the pending one. Its target is set next. */
public final class Replacement {

  private final String id;

  Replacement(String id) {
    this.id = id;
  }

  /**
   * Sends it to this topic; see {@link DelayedRecords#to}.
   *
   * @throws IllegalArgumentException if Kafka would refuse the name
   */
  public When to(String target) {
    return DelayedRecords.to(target).withId(id);
  }

  /** Sends it to the default target of the intake; see {@link DelayedRecords#toDefaultTarget}. */
  public When toDefaultTarget() {
    return DelayedRecords.toDefaultTarget().withId(id);
  }
}
