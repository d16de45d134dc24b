package io.delaybridge.schemas;

/** The default names of the bridge's own topics; the first two can be configured. */
public final class DelayTopics {

  /** Where producers write what is to be delivered later. */
  public static final String INTAKE = "delay-intake";

  /** Where a message goes that cannot be delivered, with the reason in its headers. */
  public static final String DEAD_LETTER = "delay-deadletter";

  /** What follows the name of the dead-letter topic in the name of the topic with its marks. */
  public static final String MARKS_SUFFIX = "-marks";

  /** What follows the name of an intake in the name of its later topic. */
  public static final String LATER_SUFFIX = "-later";

  private DelayTopics() {}

  /** Where messages wait that an intake was given far ahead. */
  public static String laterOf(String intake) {
    return intake + LATER_SUFFIX;
  }

  /** Where the bridge notes which dead letters were replayed or handled. */
  public static String marksOf(String deadLetterTopic) {
    return deadLetterTopic + MARKS_SUFFIX;
  }
}
