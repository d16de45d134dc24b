package io.delaybridge.bench.faults;

import org.jspecify.annotations.Nullable;

/** A failure that ends a run: the bridge broke no promise, but the run shows nothing either. */
final class FaultsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  FaultsException(String message) {
    super(message);
  }

  FaultsException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Returns the exception for an interrupted wait and keeps the interrupt for the caller. */
  static FaultsException interrupted(String waitingFor, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new FaultsException("interrupted while waiting for " + waitingFor, cause);
  }
}
