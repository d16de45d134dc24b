package io.delaybridge.bench.speed.lab;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * A load at a given rate, whatever happens to the messages, with random delays; and the lateness of
 * each message at a consumer that reads committed records. Lateness counts from the due time, which
 * the sender keeps, to the return of the poll that brought the message, in microseconds of the one
 * clock of this machine. A run fails if a message is lost, arrives twice, or is appended before it
 * is due. Messages that are due before the longest delay has passed, or after the last send, are
 * not counted: there is less to do then.
 */
public final class OpenLoop {

  private static final long LONGEST_US = TimeUnit.MINUTES.toMicros(10);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int KINDS = 997;

  private final Station station;
  private final Loader loader;
  private final byte[] value;
  private final Duration longest;
  private final List<Delay> delays;
  private final boolean atOnce;
  private final Random random = new Random(1);
  private Runnable begins = () -> {};
  private Runnable ends = () -> {};

  private OpenLoop(Station station, Loader loader, int size, Duration longest, List<Delay> delays) {
    this.station = station;
    this.loader = loader;
    this.value = Loader.value(size);
    this.longest = longest;
    this.delays = delays;
    this.atOnce = delays.isEmpty();
  }

  /** Returns a load whose delays are spread evenly from one bound to the other. */
  public static OpenLoop delayed(Station bridge, int size, Duration shortest, Duration longest) {
    long span = longest.minus(shortest).toMillis();
    List<Delay> delays =
        IntStream.rangeClosed(0, KINDS)
            .mapToObj(i -> shortest.toMillis() + span * i / KINDS)
            .map(millis -> new Delay(millis, Loader.delayed(bridge.lane().target(), millis)))
            .toList();
    return new OpenLoop(bridge, bridge.loader(), size, longest, delays);
  }

  /** Returns a load for a pass-through: each record is due when it is its turn to be sent. */
  public static OpenLoop atOnce(Station yardstick, Loader prompt, int size) {
    return new OpenLoop(yardstick, prompt, size, Duration.ZERO, List.of());
  }

  /** Runs these when the first message that counts is sent, and after the last one was sent. */
  public OpenLoop around(Runnable first, Runnable last) {
    begins = first;
    ends = last;
    return this;
  }

  /**
   * The result of a run.
   *
   * @param late in microseconds
   * @param rate the actual rate, in messages a second until the last acknowledgement
   * @param idle idle percentage of the processor time of this machine while messages counted
   * @param stolen percentage that the host took meanwhile
   */
  public record Lateness(Histogram late, double rate, double idle, double stolen) {
    /** The names of the reported percentiles. */
    public static final List<String> PERCENTILES = List.of("p50", "p99", "p99.9");

    /** Returns the reported percentiles in milliseconds. */
    public Map<String, Double> percentiles() {
      Map<String, Double> all = new LinkedHashMap<>();
      PERCENTILES.forEach(name -> all.put(name, percentile(Double.parseDouble(name.substring(1)))));
      return all;
    }

    /** Returns a percentile in milliseconds. */
    public double percentile(double percent) {
      return late.getValueAtPercentile(percent) / 1e3;
    }
  }

  /** A delay and the headers that request it. */
  private record Delay(long millis, List<Header> headers) {}

  /** The range of due times that count, in epoch microseconds. */
  private record Counted(long from, long to) {}

  /** The processor times around the messages that count, and the rate of the whole sending. */
  private record Window(Processors begun, Processors ended, double rate) {}

  /** Sends until messages have counted for that long, and waits for the last. */
  public Lateness run(double rate, Duration length) {
    station.tail().toEnd();
    Duration whole = longest.plus(length);
    int count = Math.max(1, (int) (rate * whole.toNanos() / 1e9));
    AtomicLongArray dues = new AtomicLongArray(count);
    Sent sent = new Sent(loader.next(), count);
    long begin = micros();
    long start = System.nanoTime();
    Counted counted =
        new Counted(begin + longest.toNanos() / 1_000, begin + whole.toNanos() / 1_000);
    CompletableFuture<Window> sending =
        CompletableFuture.supplyAsync(() -> send(begin, start, dues, rate));
    try {
      return receive(sent, dues, counted, sending);
    } catch (CompletionException e) {
      throw new IllegalStateException("the load could not be sent", e.getCause());
    }
  }

  /**
   * Sends all messages; the start is one instant of both clocks, in epoch microseconds and in
   * nanoseconds.
   *
   * @param dues to be filled with the due times in the order of sending, in epoch microseconds
   */
  private Window send(long begin, long start, AtomicLongArray dues, double rate) {
    Processors begun = Processors.now();
    CompletableFuture<Void> beginning = CompletableFuture.completedFuture(null);
    long first = (long) Math.ceil(rate * longest.toNanos() / 1e9);
    for (int i = 0; i < dues.length(); i++) {
      long at = (long) (i * 1e9 / rate);
      if (i == first) {
        begun = Processors.now();
        // On another thread, since it would delay the first message that counts.
        beginning = CompletableFuture.runAsync(begins);
      }
      long ahead = start + at - System.nanoTime();
      if (ahead > 0) {
        pause(ahead);
      }
      if (atOnce) {
        sendAtOnce(dues, i, begin + at / 1_000);
      } else {
        sendDelayed(dues, i);
      }
    }
    Processors ended = Processors.now();
    beginning.join();
    ends.run();
    loader.flush();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Window(begun, ended, dues.length() / seconds);
  }

  private void sendAtOnce(AtomicLongArray dues, int place, long due) {
    dues.set(place, due);
    loader.send(station.lane().intake(), value, Loader.dueAt(station.lane().target(), due));
  }

  /** Sends with an explicit timestamp instead of the producer's, since the delay counts from it. */
  private void sendDelayed(AtomicLongArray dues, int place) {
    Delay delay = delays.get(random.nextInt(delays.size()));
    long timestamp = System.currentTimeMillis();
    dues.set(place, 1_000 * (timestamp + delay.millis));
    loader.send(station.lane().intake(), value, delay.headers, timestamp);
  }

  /** Waits for at least a millisecond: at a high rate, a few messages are sent together. */
  private static void pause(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(Math.max(1_000_000, nanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Lateness receive(
      Sent sent, AtomicLongArray dues, Counted counted, CompletableFuture<Window> sending) {
    LongUnaryOperator due = number -> dues.get((int) (number - sent.first()));
    Checklist checklist = new Checklist(sent, number -> due.applyAsLong(number) / 1_000);
    Histogram late = new Histogram(LONGEST_US, 3);
    long deadline = Long.MAX_VALUE;
    while (!checklist.isComplete()) {
      Iterable<ConsumerRecord<byte[], byte[]>> records = station.tail().read();
      long now = micros();
      for (ConsumerRecord<byte[], byte[]> record : records) {
        long dueAt = due.applyAsLong(checklist.tick(record));
        if (dueAt >= counted.from && dueAt < counted.to) {
          // Not below 0: a record that is appended before it is due fails the run at its end.
          late.recordValue(Math.min(LONGEST_US, Math.max(0, now - dueAt)));
        }
      }
      if (sending.isCompletedExceptionally()) {
        sending.join();
      }
      if (sending.isDone() && deadline == Long.MAX_VALUE) {
        deadline = System.nanoTime() + LIMIT.toNanos();
      }
      if (deadline != Long.MAX_VALUE && System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(checklist.missing());
      }
    }
    Window window = sending.join();
    station.tail().end(checklist);
    return new Lateness(
        late,
        window.rate,
        window.ended.idleSince(window.begun),
        window.ended.stolenSince(window.begun));
  }

  private static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
