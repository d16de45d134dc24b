package io.delaybridge.bench.faults;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A row under one guarantee with one seed.
 *
 * @param jar of the bridge
 * @param dir for data and logs
 */
record Run<S extends Servers>(
    Row<S> row, Guarantee guarantee, long seed, Path jar, Path dir, Ledger ledger) {

  /** Half of that many seconds pass before an injection, and about as many until all goes on. */
  private static final double RECOVERY_S = 2;

  private static final int LEAST_PER_SECOND = 200;

  static <S extends Servers> Run<S> of(
      Row<S> row, Guarantee guarantee, long seed, Path jar, Path dir) {
    return new Run<>(row, guarantee, seed, jar, dir, row.ledger(seed, row.shape().messages()));
  }

  /** So fast that the share of messages for one injection lasts until the next one. */
  int perSecond() {
    Shape shape = row.shape();
    double seconds = RECOVERY_S + shape.pause().toMillis() / 2.0 / TimeUnit.SECONDS.toMillis(1);
    return (int) Math.max(LEAST_PER_SECOND, shape.messages() / (shape.injections() * seconds));
  }

  @Override
  public String toString() {
    return row.name() + " " + guarantee.key();
  }
}
