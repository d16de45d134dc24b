package io.delaybridge.bench.others;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/**
 * The measurements of a rival: it schedules messages for days ahead as fast as it can, receives as
 * many that are due at one instant, and delivers 500 a second with delays of 1 to 5 s. A first pass
 * of the last two warms up. It runs longer at 500 a second, because a JVM that is still compiling
 * is late.
 */
final class Trial {

  private static final long FAR_MS = TimeUnit.DAYS.toMillis(6);
  private static final int RATE = 500;
  private static final int LONGEST_DELAY_MS = 5_000;
  private static final int SECONDS = 20;
  private static final int WARM_UP_SECONDS = 75;
  private static final long LONGEST_US = TimeUnit.MINUTES.toMicros(10);
  private static final long LIMIT_MS = TimeUnit.MINUTES.toMillis(5);

  private final Rival rival;
  private final int size;
  private final Random random = new Random(1);

  Trial(Rival rival, int size) {
    this.rival = rival;
    this.size = Math.max(Long.BYTES, size);
  }

  void run(int messages) throws Exception {
    drain(messages);
    lateness(WARM_UP_SECONDS);
    double drain = drain(messages);
    Histogram late = lateness(SECONDS);
    // This comes last, because these messages stay.
    long before = rival.bytes();
    double schedule = schedule(messages);
    double bytes = (double) (rival.bytes() - before) / messages;
    System.out.printf(
        Locale.ROOT,
        "RESULT schedule=%.0f drain=%.0f p50=%.3f p99=%.3f p99.9=%.3f bytes=%.1f%n",
        schedule,
        drain,
        late.getValueAtPercentile(50) / 1e3,
        late.getValueAtPercentile(99) / 1e3,
        late.getValueAtPercentile(99.9) / 1e3,
        bytes);
  }

  /** Returns the messages scheduled per second. */
  private double schedule(int messages) throws Exception {
    long due = System.currentTimeMillis() + FAR_MS;
    long start = System.nanoTime();
    fill(messages, due);
    return messages / ((System.nanoTime() - start) / 1e9);
  }

  private void fill(int messages, long due) throws Exception {
    for (int i = 0; i < messages; i++) {
      rival.schedule(value(due), due);
    }
    rival.flush();
  }

  /** Returns the messages received per second, from the due time to the last message. */
  private double drain(int messages) throws Exception {
    // Leaves time to schedule all at 5,000 a second, the slowest rate worth a comparison.
    long due = System.currentTimeMillis() + 2_000 + messages / 5;
    fill(messages, due);
    if (System.currentTimeMillis() > due) {
      throw new IllegalStateException("scheduling took too long to measure the drain");
    }
    AtomicInteger seen = new AtomicInteger();
    long deadline = due + LIMIT_MS;
    while (seen.get() < messages) {
      rival.receive(each -> seen.incrementAndGet());
      if (System.currentTimeMillis() > deadline) {
        throw new IllegalStateException("only %d of %d came".formatted(seen.get(), messages));
      }
    }
    return 1e3 * messages / Math.max(1, System.currentTimeMillis() - due);
  }

  /**
   * Returns the lateness of the messages due in this many seconds, after the longest delay has
   * passed.
   */
  private Histogram lateness(int seconds) throws Exception {
    Histogram late = new Histogram(LONGEST_US, 3);
    int messages = RATE * (seconds + LONGEST_DELAY_MS / 1_000);
    long from = System.currentTimeMillis() + LONGEST_DELAY_MS;
    long to = from + 1_000L * seconds;
    AtomicInteger seen = new AtomicInteger();
    Thread sender = new Thread(() -> send(messages), "sender");
    sender.start();
    long deadline = System.currentTimeMillis() + LIMIT_MS;
    while (seen.get() < messages) {
      rival.receive(
          due -> {
            long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            seen.incrementAndGet();
            if (due >= from && due < to) {
              late.recordValue(Math.min(LONGEST_US, Math.max(0, now - 1_000 * due)));
            }
          });
      if (System.currentTimeMillis() > deadline) {
        throw new IllegalStateException("only %d of %d came".formatted(seen.get(), messages));
      }
    }
    sender.join();
    return late;
  }

  private void send(int messages) {
    long start = System.nanoTime();
    try {
      for (int i = 0; i < messages; i++) {
        long ahead = start + i * 1_000_000_000L / RATE - System.nanoTime();
        if (ahead > 0) {
          TimeUnit.NANOSECONDS.sleep(ahead);
        }
        long due = System.currentTimeMillis() + 1_000 + random.nextInt(LONGEST_DELAY_MS - 999);
        rival.schedule(value(due), due);
        rival.flush();
      }
    } catch (Exception e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private byte[] value(long due) {
    byte[] value = new byte[size];
    ByteBuffer.wrap(value).putLong(due);
    return value;
  }
}
