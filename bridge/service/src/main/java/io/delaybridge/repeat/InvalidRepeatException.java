package io.delaybridge.repeat;

import io.delaybridge.schemas.Reason;

/** Thrown when the headers of a message do not say how it repeats. */
public final class InvalidRepeatException extends Exception {

  private static final long serialVersionUID = 1;

  private final Reason reason;

  InvalidRepeatException(Reason reason, String detail) {
    super(detail);
    this.reason = reason;
  }

  /** Why the message is a dead letter. */
  public Reason reason() {
    return reason;
  }

  /** One sentence that names the header. */
  public String detail() {
    return String.valueOf(getMessage());
  }
}
