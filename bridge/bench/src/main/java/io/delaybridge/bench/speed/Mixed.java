package io.delaybridge.bench.speed;

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
 * Storing and delivering at the same time: the highest rate at which lag does not grow, every
 * message with a delay of 3 s.
 *
 * <p>There is always a little more on its way than the bridge can deliver in time: the loader keeps
 * as many messages between intake and target as were delivered in the last 3.6 s. So messages are
 * late by about 0.6 s, no more, and the rate is the bridge's own. It is taken over a window after
 * the rate has settled, from what Redis holds and has stored. The loader runs meanwhile, on the
 * same machine; the pass-through has no such company.
 */
final class Mixed {

  private static final long DELAY_MS = 3_000;
  private static final double ON_THE_WAY_S = 3.6;
  private static final Duration STEP = Duration.ofMillis(10);
  private static final double RATED_OVER_S = 2;

  private final Station station;
  private final ShardGauge gauge;
  private final byte[] value;
  private final List<Header> headers;
  private final Duration settle;
  private final Duration window;
  private final Deque<Sample> samples = new ArrayDeque<>();

  private long backlog;
  private long sent;
  private double allowed;

  /**
   * @param settle before the window begins
   */
  Mixed(Station station, int size, Duration settle, Duration window) {
    this.station = station;
    this.gauge = station.gauge();
    this.value = Loader.value(size);
    this.headers = Loader.delayed(station.lane().target(), DELAY_MS);
    this.settle = settle;
    this.window = window;
  }

  /** What was seen at one moment; delivered counts from the start. */
  private record Sample(double seconds, long delivered, long underWay) {}

  /**
   * The steady state.
   *
   * @param rate messages a second
   * @param lateBegin seconds that messages are late by, in the mean, when the window begins
   * @param sent messages, from the start until nothing was left
   */
  record Steady(double rate, double lateBegin, double lateEnd, long sent) {}

  /**
   * Measures and waits until nothing is left.
   *
   * @param guess messages a second to begin with
   */
  Steady run(double guess) throws InterruptedException {
    station.tail().toEnd();
    backlog = gauge.pending();
    long base = gauge.stored();
    long start = System.nanoTime();
    allowed = ON_THE_WAY_S * guess;
    Sample begin = null;
    Sample last = new Sample(0, 0, 0);
    while (true) {
      Sample now = sample(base, start);
      double pace = Math.max(guess, steer(now));
      if (begin == null && now.seconds > settle.toSeconds()) {
        begin = now;
      }
      if (begin != null && now.seconds > settle.plus(window).toSeconds()) {
        double rate = rate(begin, now);
        finish(base);
        return new Steady(rate, late(begin, rate), late(now, rate), sent);
      }
      // Not all that is allowed at once: that would come back as a herd every three seconds.
      send((long) Math.min(allowed - now.underWay, 2 * pace * (now.seconds - last.seconds)));
      last = now;
      TimeUnit.NANOSECONDS.sleep(STEP.toNanos());
    }
  }

  private Sample sample(long base, long start) {
    long pending = gauge.pending() - backlog;
    long delivered = gauge.stored() - base - pending;
    return new Sample((System.nanoTime() - start) / 1e9, delivered, sent - delivered);
  }

  /** Follows the rate of delivery, and returns it. */
  private double steer(Sample now) {
    samples.add(now);
    while (now.seconds - samples.getFirst().seconds > RATED_OVER_S) {
      samples.removeFirst();
    }
    double rate = rate(samples.getFirst(), now);
    // Before that, nothing was due.
    if (now.seconds > DELAY_MS / 1e3 + RATED_OVER_S + 1) {
      allowed = ON_THE_WAY_S * rate;
    }
    return rate;
  }

  private static double rate(Sample from, Sample to) {
    return (to.delivered - from.delivered) / Math.max(1e-3, to.seconds - from.seconds);
  }

  private static double late(Sample sample, double rate) {
    return sample.underWay / rate - DELAY_MS / 1e3;
  }

  private void send(long count) {
    for (long i = 0; i < count; i++) {
      station.loader().send(station.lane().intake(), value, headers);
      sent++;
    }
  }

  private void finish(long base) {
    station.loader().flush();
    gauge.awaitStored(base + sent, Duration.ofMinutes(2));
    gauge.awaitPending(backlog, Duration.ofMinutes(2));
    station.tail().await(sent, Duration.ofMinutes(1));
  }
}
