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
 * machine.
 */
public final class OpenLoop {

  private static final long LONGEST_US = TimeUnit.MINUTES.toMicros(10);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int KINDS = 997;

  private final Station station;
  private final byte[] value;
  private final List<List<Header>> delays;
  private final boolean atOnce;
  private final Random random = new Random(1);

  /**
   * Delays are spread evenly from one bound to the other; both 0 for a pass-through, whose records
   * are due when they are sent.
   */
  public OpenLoop(Station station, int size, Duration shortest, Duration longest) {
    this.station = station;
    this.value = Loader.value(size);
    this.atOnce = longest.isZero();
    long span = longest.minus(shortest).toMillis();
    this.delays =
        IntStream.rangeClosed(0, KINDS)
            .mapToObj(i -> shortest.toMillis() + span * i / KINDS)
            .map(millis -> Loader.delayed(station.lane().target(), millis))
            .toList();
  }

  /**
   * What was seen.
   *
   * @param late microseconds; what is early counts as 0
   * @param early messages that came before they were due
   */
  public record Lateness(Histogram late, long early) {

    /** In milliseconds. */
    public double percentile(double percent) {
      return late.getValueAtPercentile(percent) / 1e3;
    }
  }

  /** Sends for that long, and waits for the last. */
  public Lateness run(double rate, Duration length) {
    station.tail().toEnd();
    long count = Math.max(1, (long) (rate * length.toNanos() / 1e9));
    CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> send(count, rate));
    Lateness lateness = receive(count, sending);
    try {
      sending.join();
    } catch (CompletionException e) {
      throw new IllegalStateException("the load could not be sent", e.getCause());
    }
    return lateness;
  }

  private void send(long count, double rate) {
    long start = System.nanoTime();
    for (long i = 0; i < count; i++) {
      long ahead = start + (long) (i * 1e9 / rate) - System.nanoTime();
      if (ahead > 0) {
        pause(ahead);
      }
      station.loader().send(station.lane().intake(), value, headers());
    }
    station.loader().flush();
  }

  private List<Header> headers() {
    return atOnce
        ? Loader.dueAt(station.lane().target(), System.currentTimeMillis())
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

  private Lateness receive(long count, CompletableFuture<Void> sending) {
    Histogram late = new Histogram(LONGEST_US, 3);
    long early = 0;
    long deadline = Long.MAX_VALUE;
    while (late.getTotalCount() < count) {
      Iterable<ConsumerRecord<byte[], byte[]>> records = station.tail().read();
      long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
      for (ConsumerRecord<byte[], byte[]> record : records) {
        long by = now - 1_000 * due(record);
        early += by < 0 ? 1 : 0;
        late.recordValue(Math.min(LONGEST_US, Math.max(0, by)));
      }
      if (sending.isDone() && deadline == Long.MAX_VALUE) {
        deadline = System.nanoTime() + LIMIT.toNanos();
      }
      if (deadline != Long.MAX_VALUE && System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "only %d of %d messages arrived".formatted(late.getTotalCount(), count));
      }
    }
    return new Lateness(late, early);
  }

  private long due(ConsumerRecord<byte[], byte[]> record) {
    Header header =
        record.headers().lastHeader(atOnce ? DelayHeaders.DELIVER_AT : DelayHeaders.DUE_AT);
    if (header == null) {
      throw new IllegalStateException("not sent by the bridge: " + record);
    }
    return Long.parseLong(new String(header.value(), StandardCharsets.UTF_8));
  }
}
