package io.delaybridge.schemas;

/** The default names of the bridge's own topics; the first two can be configured. */
public final class DelayTopics {

  /** The topic for messages that are to be delivered later. */
  public static final String INTAKE = "delay-intake";

  /** The topic for messages that cannot be delivered, with the reason in their headers. */
  public static final String DEAD_LETTER = "delay-deadletter";

  /** The suffix of the topic with the marks, after the name of the dead-letter topic. */
  public static final String MARKS_SUFFIX = "-marks";

  /** The suffix of a later topic, after the name of its intake. */
  public static final String LATER_SUFFIX = "-later";

  private DelayTopics() {}

  /** Returns the topic where far messages of an intake wait. */
  public static String laterOf(String intake) {
    return intake + LATER_SUFFIX;
  }

  /** Returns the topic where the bridge notes which dead letters were replayed or handled. */
  public static String marksOf(String deadLetterTopic) {
    return deadLetterTopic + MARKS_SUFFIX;
  }
}
