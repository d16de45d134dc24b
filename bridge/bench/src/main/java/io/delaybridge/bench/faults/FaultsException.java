package io.delaybridge.bench.faults;

import org.jspecify.annotations.Nullable;

/** A run cannot go on: not a broken promise of the bridge, but nothing was shown either. */
final class FaultsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  FaultsException(String message) {
    super(message);
  }

  FaultsException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** For a wait that was interrupted: keeps the interrupt for the caller. */
  static FaultsException interrupted(String waitingFor, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new FaultsException("interrupted while waiting for " + waitingFor, cause);
  }
}
