package io.delaybridge.bench.faults;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;

/**
 * Faults shortly before and after a producer gets a new id. A producer counts its transactions in
 * 15 bits and then needs a new id. The broker's count determines the time of each fault.
 */
final class Rollover {

  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final Duration STANDSTILL = Duration.ofSeconds(30);

  /** The last transaction number before a producer needs a new id. */
  private static final int LAST = Short.MAX_VALUE - 1;

  /** The distances of the faults from the last number; negative ones are after it. */
  private static final int[] BEFORE = {1_000, 600, 400, 250, 150, 70, 20, -10, -100, -300};

  static final int FAULTS = BEFORE.length;

  private int injected;
  private long producer = -1;

  boolean inject(World<Single> world, RandomGenerator random) {
    if (injected == 0) {
      world.load().releaseMore(world.shape().messages());
      Wait.until("a transaction", LIMIT, () -> busiest(world.admin()).isPresent());
    }
    int before = BEFORE[injected];
    awaitTime(world, before);
    injected++;
    if (injected == FAULTS) {
      world.fleet().kill();
      world.fleet().start();
      world.note("bridge");
      awaitMore(world);
    } else {
      world.servers().broker().kill();
      Wait.millis(random.nextLong(500));
      world.servers().broker().start();
      world.note("broker");
    }
    return true;
  }

  /**
   * Waits for the time of the next fault, and restarts a broker that stands still.
   * docs/reliability.md explains the standstill.
   */
  private void awaitTime(World<Single> world, int before) {
    long begun = System.nanoTime();
    while (!Wait.upTo(
        STANDSTILL, () -> busiest(world.admin()).filter(now -> isTime(now, before)).isPresent())) {
      if (System.nanoTime() - begun > LIMIT.toNanos()) {
        throw new FaultsException(
            "transaction %d of the producer does not come".formatted(LAST - before));
      }
      awaitMore(world);
    }
  }

  /** Waits until something is delivered, and restarts the broker while nothing is. */
  private static void awaitMore(World<Single> world) {
    long begun = System.nanoTime();
    while (!world.awaitDelivered(1, STANDSTILL)) {
      if (System.nanoTime() - begun > LIMIT.toNanos()) {
        throw new FaultsException("nothing is delivered any more, whatever is restarted");
      }
      world.servers().broker().kill();
      world.servers().broker().start();
      world.note("standstill of the broker ended");
    }
  }

  private boolean isTime(TransactionDescription now, int before) {
    if (producer < 0) {
      producer = now.producerId();
    }
    boolean rolled = now.producerId() != producer;
    return before > 0
        ? rolled || now.producerEpoch() >= LAST - before
        : rolled && now.producerEpoch() >= -before;
  }

  /** Returns the newest producer that has transactions; empty while the broker does not tell. */
  private static Optional<TransactionDescription> busiest(Admin admin) {
    try {
      List<String> ids =
          admin.listTransactions().all().get().stream()
              .map(TransactionListing::transactionalId)
              .toList();
      Collection<TransactionDescription> all = admin.describeTransactions(ids).all().get().values();
      return all.stream().max(Comparator.comparingLong(TransactionDescription::producerId));
    } catch (ExecutionException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      throw FaultsException.interrupted("the transactions", e);
    }
  }
}
