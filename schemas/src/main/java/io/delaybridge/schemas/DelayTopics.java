package io.delaybridge.schemas;

/** The default names of the bridge's own topics; both can be configured. */
public final class DelayTopics {

  /** Where producers write what is to be delivered later. */
  public static final String INTAKE = "delay-intake";

  /** Where a message goes that can not be delivered, with the reason in its headers. */
  public static final String DEAD_LETTER = "delay-deadletter";

  private DelayTopics() {}
}
