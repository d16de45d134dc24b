package io.delaybridge.intake;

import io.delaybridge.repeat.InvalidRepeatException;
import io.delaybridge.schemas.Reason;

/**
 * Why a record is not a request. Thrown inside the parser only, to leave it at the first fault; it
 * carries no stack trace because a malformed record is an expected event.
 */
final class Rejection extends Exception {

  private static final long serialVersionUID = 1;

  private final Reason reason;

  Rejection(Reason reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
  }

  static Rejection of(InvalidRepeatException e) {
    return new Rejection(e.reason(), e.detail());
  }

  Reason reason() {
    return reason;
  }

  String detail() {
    return String.valueOf(getMessage());
  }
}
