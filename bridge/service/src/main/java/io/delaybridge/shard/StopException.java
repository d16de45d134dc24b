package io.delaybridge.shard;

/** Thrown if a shard is in a situation that only an operator can judge. */
final class StopException extends Exception {

  private static final long serialVersionUID = 1;

  StopException(String why) {
    super(why);
  }
}
