package io.delaybridge.schemas;

/** The default names of the bridge's own topics; the first two can be configured. */
public final class DelayTopics {

  /** Where producers write what is to be delivered later. */
  public static final String INTAKE = "delay-intake";

  /** Where a message goes that can not be delivered, with the reason in its headers. */
  public static final String DEAD_LETTER = "delay-deadletter";

  /** What follows the name of the dead-letter topic in the name of the topic with its marks. */
  public static final String MARKS_SUFFIX = "-marks";

  private DelayTopics() {}

  /** Where the bridge notes which dead letters were replayed or handled. */
  public static String marksOf(String deadLetterTopic) {
    return deadLetterTopic + MARKS_SUFFIX;
  }
}
