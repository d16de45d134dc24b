package io.delaybridge.bench.faults;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The run of a row with one guarantee and one seed.
 *
 * @param jar jar of the bridge
 * @param dir directory for data and logs
 */
record Run<S extends Servers>(
    Row<S> row, Guarantee guarantee, long seed, Path jar, Path dir, Ledger ledger) {

  /** The approximate time from an injection until the bridges work again, in seconds. */
  private static final double RECOVERY_S = 2;

  private static final int LEAST_PER_SECOND = 200;

  static <S extends Servers> Run<S> of(
      Row<S> row, Guarantee guarantee, long seed, Path jar, Path dir) {
    return new Run<>(row, guarantee, seed, jar, dir, row.ledger(seed, row.shape().messages()));
  }

  /** Returns the rate at which the messages for one injection last until the next one. */
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
