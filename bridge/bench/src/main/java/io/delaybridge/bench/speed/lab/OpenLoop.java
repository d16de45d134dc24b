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
 * Messages at a given rate, whatever becomes of them, with random delays; and how late each of them
 * reaches a consumer that reads what is committed. Late counts from the due time, which the sender
 * keeps, to the return of the poll that brought it, in microseconds of the one clock of this
 * machine. A run in which a message is lost, comes twice, or is appended before it is due, fails.
 * What is due before the longest delay has passed, or after the last was sent, is not counted:
 * there is less to do then.
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

  /** Delays are spread evenly from one bound to the other. */
  public static OpenLoop delayed(Station bridge, int size, Duration shortest, Duration longest) {
    long span = longest.minus(shortest).toMillis();
    List<Delay> delays =
        IntStream.rangeClosed(0, KINDS)
            .mapToObj(i -> shortest.toMillis() + span * i / KINDS)
            .map(millis -> new Delay(millis, Loader.delayed(bridge.lane().target(), millis)))
            .toList();
    return new OpenLoop(bridge, bridge.loader(), size, longest, delays);
  }

  /** For a pass-through: each record is due when its turn to be sent has come. */
  public static OpenLoop atOnce(Station yardstick, Loader prompt, int size) {
    return new OpenLoop(yardstick, prompt, size, Duration.ZERO, List.of());
  }

  /** Runs these when the first message that counts is sent, and when the last one was. */
  public OpenLoop around(Runnable first, Runnable last) {
    begins = first;
    ends = last;
    return this;
  }

  /**
   * What was seen.
   *
   * @param late microseconds
   * @param rate at which was really sent, messages a second until the last was acknowledged
   * @param idle percent of the processor time of this machine while messages counted
   * @param stolen likewise, by the host
   */
  public record Lateness(Histogram late, double rate, double idle, double stolen) {
    /** The names of those that are told. */
    public static final List<String> PERCENTILES = List.of("p50", "p99", "p99.9");

    /** Those that are told, in milliseconds. */
    public Map<String, Double> percentiles() {
      Map<String, Double> all = new LinkedHashMap<>();
      PERCENTILES.forEach(name -> all.put(name, percentile(Double.parseDouble(name.substring(1)))));
      return all;
    }

    /** In milliseconds. */
    public double percentile(double percent) {
      return late.getValueAtPercentile(percent) / 1e3;
    }
  }

  /** And the headers that say so. */
  private record Delay(long millis, List<Header> headers) {}

  /** Due times that count, epoch microseconds. */
  private record Counted(long from, long to) {}

  /** Of the sending, what is due meanwhile counts; and messages a second over all of it. */
  private record Window(Processors begun, Processors ended, double rate) {}

  /** Sends until all has counted for that long, and waits for the last. */
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
   * Begins at one instant of both clocks: epoch microseconds, and nanoseconds.
   *
   * @param dues epoch microseconds, to be filled: of what is sent first, second and so on
   */
  private Window send(long begin, long start, AtomicLongArray dues, double rate) {
    Processors begun = Processors.now();
    CompletableFuture<Void> beginning = CompletableFuture.completedFuture(null);
    long first = (long) Math.ceil(rate * longest.toNanos() / 1e9);
    for (int i = 0; i < dues.length(); i++) {
      long at = (long) (i * 1e9 / rate);
      if (i == first) {
        begun = Processors.now();
        // Not here, where it would hold up the first message that counts.
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

  /** The delay counts from the record's own time, which therefore is not left to the producer. */
  private void sendDelayed(AtomicLongArray dues, int place) {
    Delay delay = delays.get(random.nextInt(delays.size()));
    long timestamp = System.currentTimeMillis();
    dues.set(place, 1_000 * (timestamp + delay.millis));
    loader.send(station.lane().intake(), value, delay.headers, timestamp);
  }

  /** Never for less than a millisecond: at a high rate a few are sent together. */
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
          // Not below 0: what is appended before it is due fails the run when it ends.
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
