package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.lab.Checklist;
import io.delaybridge.bench.speed.lab.Loader;
import io.delaybridge.bench.speed.lab.ShardGauge;
import io.delaybridge.bench.speed.lab.Station;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.header.Header;

/**
 * Storing and delivering at the same time: the highest rate at which lag does not grow. Every
 * message has a delay of 3 s.
 *
 * <p>There are always slightly more messages under way than the bridge can deliver in time. At
 * first, the loader keeps as many messages between intake and target as the bridge delivers in 4.5
 * s, so the rate rises until the bridge reaches its limit. When the rate no longer rises, the
 * number is fixed at the deliveries of 3.6 s. Messages are then about 0.6 s late, lag cannot grow,
 * and the bridge itself limits the rate. The rate is taken over a window, from the messages that
 * Redis holds and has stored. Meanwhile, the loader runs on the same machine; no loader runs beside
 * the pass-through.
 *
 * <p>The intake contains at most the unread messages of half a delay. A message that is due when it
 * is read does not go through Redis; {@code overdue} measures that case.
 */
final class Mixed {

  private static final long DELAY_MS = 3_000;
  private static final double DELAY_S = DELAY_MS / 1e3;
  private static final double CLIMBING_S = 4.5;
  private static final double STEADY_S = 3.6;
  private static final double UNREAD_S = DELAY_S / 2;
  private static final double RISES = 1.1;
  private static final double LONGEST_CLIMB_S = 90;
  private static final Duration STEP = Duration.ofMillis(10);

  private final Station station;
  private final ShardGauge gauge;
  private final byte[] value;
  private final List<Header> headers;
  private final double window;

  /** The samples of the last two delays, so that waves as long as the delay do not count. */
  private final Deque<Sample> samples = new ArrayDeque<>();

  private long backlog;
  private long sent;

  Mixed(Station station, int size, Duration window) {
    this.station = station;
    this.gauge = station.gauge();
    this.value = Loader.value(size);
    this.headers = Loader.delayed(station.lane().target(), DELAY_MS);
    this.window = window.toMillis() / 1e3;
  }

  /** The counters at one moment; delivered counts from the start. */
  private record Sample(double seconds, long delivered, long unread, long underWay) {}

  /**
   * The steady state.
   *
   * @param rate messages a second
   * @param lateBegin mean lateness in seconds when the window begins
   * @param lateEnd mean lateness in seconds when it ends, which would show growing lag
   * @param delivered messages in the window
   */
  record Steady(double rate, double lateBegin, double lateEnd, long delivered) {}

  /**
   * Measures and waits until all messages are delivered.
   *
   * @param guess the initial rate in messages a second
   */
  Steady run(double guess) throws InterruptedException {
    return run(guess, () -> {}, () -> {});
  }

  /** Does the same, and runs the given actions when the window begins and when it ends. */
  Steady run(double guess, Runnable begins, Runnable ends) throws InterruptedException {
    station.tail().toEnd();
    backlog = gauge.pending();
    long first = station.loader().next();
    long base = gauge.stored();
    long start = System.nanoTime();
    double allowed = CLIMBING_S * guess;
    double frozen = Double.NaN;
    Sample begin = null;
    Sample last = new Sample(0, 0, 0, 0);
    while (true) {
      Sample now = sample(base, start);
      double rate = remember(now);
      if (Double.isNaN(frozen) && now.seconds > 2 * DELAY_S) {
        boolean known = now.seconds > 4 * DELAY_S;
        if (!known || (rises(now) && now.seconds < LONGEST_CLIMB_S)) {
          allowed = CLIMBING_S * rate;
        } else {
          allowed = STEADY_S * rate(samples.getFirst(), now);
          frozen = now.seconds;
        }
      }
      if (begin == null && now.seconds > frozen + 2 * DELAY_S) {
        begin = now;
        begins.run();
      }
      if (begin != null && now.seconds > begin.seconds + window) {
        ends.run();
        double steady = rate(begin, now);
        finish(base, first);
        return new Steady(
            steady, late(begin, steady), late(now, steady), now.delivered - begin.delivered);
      }
      // Not all allowed messages at once: they would come back as a herd every three seconds.
      double pace = Math.max(guess, rate);
      double known = now.seconds > 2 * DELAY_S ? rate : pace;
      double room = Math.min(allowed - now.underWay, UNREAD_S * known - now.unread);
      send((long) Math.min(room, 2 * pace * (now.seconds - last.seconds)));
      last = now;
      TimeUnit.NANOSECONDS.sleep(STEP.toNanos());
    }
  }

  private Sample sample(long base, long start) {
    long pending = gauge.pending() - backlog;
    long read = gauge.stored() - base;
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Sample(seconds, read - pending, sent - read, sent - read + pending);
  }

  /** Returns the rate of delivery over the last delay. */
  private double remember(Sample now) {
    samples.add(now);
    while (now.seconds - samples.getFirst().seconds > 2 * DELAY_S) {
      samples.removeFirst();
    }
    return rate(middle(now), now);
  }

  private boolean rises(Sample now) {
    Sample middle = middle(now);
    return rate(middle, now) > RISES * rate(samples.getFirst(), middle);
  }

  private Sample middle(Sample now) {
    return samples.stream()
        .filter(sample -> now.seconds - sample.seconds <= DELAY_S)
        .findFirst()
        .orElse(now);
  }

  private static double rate(Sample from, Sample to) {
    return (to.delivered - from.delivered) / Math.max(1e-3, to.seconds - from.seconds);
  }

  private static double late(Sample sample, double rate) {
    return sample.underWay / rate - DELAY_S;
  }

  private void send(long count) {
    for (long i = 0; i < count; i++) {
      station.loader().send(station.lane().intake(), value, headers);
      sent++;
    }
  }

  private void finish(long base, long first) {
    station.loader().flush();
    gauge.awaitStored(base + sent, Duration.ofMinutes(2));
    gauge.awaitPending(backlog, Duration.ofMinutes(2));
    station.tail().await(Checklist.of(station.loader().since(first)), Duration.ofMinutes(1));
  }
}
