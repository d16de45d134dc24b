package io.delaybridge.schemas;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that are not a stored message, or are one of a version that this code does not know.
 * Checked, because the reader of a store must decide how to handle it: the intake still has the
 * record.
 */
public final class CorruptMessageException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * @param message what is wrong with the bytes, without the bytes
   */
  public CorruptMessageException(String message) {
    this(message, null);
  }

  /**
   * @param message what is wrong with the bytes, without the bytes
   * @param cause what found it; null if nothing else did
   */
  public CorruptMessageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
