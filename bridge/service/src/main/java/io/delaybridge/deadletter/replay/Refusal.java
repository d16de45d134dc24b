package io.delaybridge.deadletter.replay;

/**
 * The reason for which a dead letter is not replayed.
 *
 * @param text one sentence for whoever asked
 */
public record Refusal(Code code, String text) {

  /** The kinds of refusal. */
  public enum Code {
    /** The index has no such dead letter. */
    NOT_FOUND,
    /** Its content is not there any more. */
    GONE,
    /** It was replayed or handled before. */
    ALREADY,
    /** It was replayed too often. */
    LOOP,
    /** Its own headers are at fault; it would only die again. */
    MALFORMED,
    /** The headers that were given are not allowed. */
    BAD_HEADERS,
    /** Its intake does not belong to this bridge. */
    NOT_AN_INTAKE,
    /** Kafka does not take the record. */
    REFUSED
  }
}
