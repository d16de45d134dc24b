package io.delaybridge.bench.speed.lab;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Messages at a given rate, whatever becomes of them, with random delays; and how late each of them
 * reaches a consumer that reads what is committed. Late counts from the due time, which the arrival
 * names, to the return of the poll that brought it, in microseconds of the one clock of this
 * machine. What is due before the longest delay has passed, or after the last was sent, is not
 * counted: there is less to do then.
 */
public final class OpenLoop {

  private static final long LONGEST_US = TimeUnit.MINUTES.toMicros(10);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int KINDS = 997;

  private final Station station;
  private final Loader loader;
  private final byte[] value;
  private final Duration longest;
  private final List<List<Header>> delays;
  private final boolean atOnce;
  private final Random random = new Random(1);

  private OpenLoop(
      Station station, Loader loader, int size, Duration longest, List<List<Header>> delays) {
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
    List<List<Header>> delays =
        IntStream.rangeClosed(0, KINDS)
            .mapToObj(i -> shortest.toMillis() + span * i / KINDS)
            .map(millis -> Loader.delayed(bridge.lane().target(), millis))
            .toList();
    return new OpenLoop(bridge, bridge.loader(), size, longest, delays);
  }

  /** For a pass-through: each record is due when its turn to be sent has come. */
  public static OpenLoop atOnce(Station yardstick, Loader prompt, int size) {
    return new OpenLoop(yardstick, prompt, size, Duration.ZERO, List.of());
  }

  /**
   * What was seen.
   *
   * @param late microseconds; what is early counts as 0
   * @param early messages that came before they were due
   * @param idle percent of the processor time of this machine while messages counted
   * @param stolen likewise, by the host
   */
  public record Lateness(Histogram late, long early, double idle, double stolen) {

    /** In milliseconds. */
    public double percentile(double percent) {
      return late.getValueAtPercentile(percent) / 1e3;
    }
  }

  /** Due times that count, epoch microseconds. */
  private record Counted(long from, long to) {}

  /** Of the sending, what is due meanwhile counts. */
  private record Window(Processors begun, Processors ended) {}

  /** Sends until all has counted for that long, and waits for the last. */
  public Lateness run(double rate, Duration length) {
    station.tail().toEnd();
    Duration whole = longest.plus(length);
    long count = Math.max(1, (long) (rate * whole.toNanos() / 1e9));
    long begin = micros();
    long start = System.nanoTime();
    Counted counted =
        new Counted(begin + longest.toNanos() / 1_000, begin + whole.toNanos() / 1_000);
    CompletableFuture<Window> sending =
        CompletableFuture.supplyAsync(() -> send(begin, start, count, rate));
    try {
      return receive(count, counted, sending);
    } catch (CompletionException e) {
      throw new IllegalStateException("the load could not be sent", e.getCause());
    }
  }

  /** Begins at one instant of both clocks: epoch microseconds, and nanoseconds. */
  private Window send(long begin, long start, long count, double rate) {
    Processors begun = Processors.now();
    long first = (long) Math.ceil(rate * longest.toNanos() / 1e9);
    for (long i = 0; i < count; i++) {
      long at = (long) (i * 1e9 / rate);
      if (i == first) {
        begun = Processors.now();
      }
      long ahead = start + at - System.nanoTime();
      if (ahead > 0) {
        pause(ahead);
      }
      loader.send(station.lane().intake(), value, headers(begin + at / 1_000));
    }
    Processors ended = Processors.now();
    loader.flush();
    return new Window(begun, ended);
  }

  /** Nobody but this class reads the due time of what goes at once: it is in microseconds. */
  private List<Header> headers(long due) {
    return atOnce
        ? Loader.dueAt(station.lane().target(), due)
        : delays.get(random.nextInt(delays.size()));
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

  private Lateness receive(long count, Counted counted, CompletableFuture<Window> sending) {
    Histogram late = new Histogram(LONGEST_US, 3);
    long arrived = 0;
    long early = 0;
    long deadline = Long.MAX_VALUE;
    while (arrived < count) {
      Iterable<ConsumerRecord<byte[], byte[]>> records = station.tail().read();
      long now = micros();
      for (ConsumerRecord<byte[], byte[]> record : records) {
        long due = due(record);
        arrived++;
        early += now < due ? 1 : 0;
        if (due >= counted.from && due < counted.to) {
          late.recordValue(Math.min(LONGEST_US, Math.max(0, now - due)));
        }
      }
      if (sending.isCompletedExceptionally()) {
        sending.join();
      }
      if (sending.isDone() && deadline == Long.MAX_VALUE) {
        deadline = System.nanoTime() + LIMIT.toNanos();
      }
      if (deadline != Long.MAX_VALUE && System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("only %d of %d arrived".formatted(arrived, count));
      }
    }
    if (arrived > count) {
      throw new IllegalStateException("%d arrived, but %d were sent".formatted(arrived, count));
    }
    Window window = sending.join();
    return new Lateness(
        late, early, window.ended.idleSince(window.begun), window.ended.stolenSince(window.begun));
  }

  private static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  private long due(ConsumerRecord<byte[], byte[]> record) {
    Header header =
        record.headers().lastHeader(atOnce ? DelayHeaders.DELIVER_AT : DelayHeaders.DUE_AT);
    if (header == null) {
      throw new IllegalStateException("not sent by the bridge: " + record);
    }
    long due = Long.parseLong(new String(header.value(), StandardCharsets.UTF_8));
    return atOnce ? due : 1_000 * due;
  }
}
