package io.delaybridge.bench.speed.lab;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A continuous load, and the time at which each of its messages reached a consumer that reads
 * committed records. Lateness counts from the due time to the return of the poll that brought the
 * message.
 */
public final class Steady implements AutoCloseable {

  private static final long DELAY_MS = 1_000;

  private final Loader loader;
  private final Tail tail;
  private final String intake;
  private final String target;
  private final int partitions;
  private final byte[] value;
  private final double rate;
  private final ConcurrentHashMap<Long, Arrival> arrivals = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, Long> dues = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong repeated = new AtomicLong();
  private volatile boolean over;
  private volatile boolean paused;

  /**
   * A message that arrived.
   *
   * @param partition of the intake
   * @param due in epoch milliseconds
   * @param at in epoch milliseconds
   */
  public record Arrival(int partition, long due, long at) {

    /** Returns the lateness in milliseconds. */
    public long late() {
      return at - due;
    }
  }

  /** Starts the load; nobody else may use loader and tail meanwhile. */
  public Steady(Loader loader, Tail tail, String name, int partitions, int size, double rate) {
    this.loader = loader;
    this.tail = tail;
    this.intake = name + "-in";
    this.target = name + "-out";
    this.partitions = partitions;
    this.value = Loader.value(size);
    this.rate = rate;
    thread("steady-send", this::send);
    thread("steady-receive", this::receive);
  }

  private void thread(String name, Runnable body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
              }
            },
            name);
    threads.add(thread);
    thread.start();
  }

  private void send() {
    var headers = Loader.delayed(target, DELAY_MS);
    long begun = System.nanoTime();
    for (long i = 0; !over; i++) {
      while (paused && !over) {
        Lab.pause(1);
        begun = System.nanoTime() - (long) (i * 1e9 / rate);
      }
      long ahead = begun + (long) (i * 1e9 / rate) - System.nanoTime();
      if (ahead > 0) {
        Lab.pause(ahead / 1_000_000 + 1);
      }
      long now = System.currentTimeMillis();
      dues.put(loader.next(), now + DELAY_MS);
      loader.send(intake, value, headers, now);
    }
    loader.flush();
  }

  private void receive() {
    while (!over || arrivals.size() < dues.size()) {
      for (ConsumerRecord<byte[], byte[]> record : tail.read()) {
        long number = ByteBuffer.wrap(record.key()).getLong();
        long due =
            Long.parseLong(
                new String(
                    record.headers().lastHeader(DelayHeaders.DUE_AT).value(),
                    StandardCharsets.US_ASCII));
        Arrival arrival = new Arrival((int) (number % partitions), due, System.currentTimeMillis());
        if (record.timestamp() < due) {
          throw new IllegalStateException("message %d came early".formatted(number));
        }
        if (arrivals.putIfAbsent(number, arrival) != null) {
          repeated.incrementAndGet();
        }
      }
    }
  }

  /**
   * Returns the messages that were due in this time, in these partitions of the intake; waits until
   * all of them have arrived.
   */
  public List<Arrival> due(long from, long to, IntPredicate inPartition) {
    long limit = System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(1);
    // Messages that are due before then were sent before.
    while (System.currentTimeMillis() <= to || !isIn(to)) {
      requireNoFailure();
      if (System.currentTimeMillis() > limit) {
        throw incomplete(to);
      }
      Lab.pause(100);
    }
    return arrivals.values().stream()
        .filter(each -> each.due >= from && each.due < to && inPartition.test(each.partition))
        .toList();
  }

  /**
   * Returns the lateness in milliseconds that this share of the messages due in this time does not
   * exceed; waits until all of them have arrived.
   */
  public double late(long from, long to, double share) {
    List<Long> sorted =
        due(from, to, partition -> true).stream().map(Arrival::late).sorted().toList();
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
  }

  /** Returns the messages that are due before then and have not arrived, with their due times. */
  private Stream<Map.Entry<Long, Long>> missing(long to) {
    return dues.entrySet().stream()
        .filter(sent -> sent.getValue() < to && !arrivals.containsKey(sent.getKey()));
  }

  private boolean isIn(long to) {
    return missing(to).findAny().isEmpty();
  }

  private IllegalStateException incomplete(long to) {
    List<String> missing =
        missing(to)
            .sorted(Map.Entry.comparingByValue())
            .map(
                sent ->
                    "%s/%d due %s"
                        .formatted(
                            intake,
                            sent.getKey() % partitions,
                            Instant.ofEpochMilli(sent.getValue())))
            .toList();
    return new IllegalStateException(
        "%d messages did not come, among them %s"
            .formatted(missing.size(), missing.subList(0, Math.min(5, missing.size()))));
  }

  private void requireNoFailure() {
    Throwable e = failure.get();
    if (e != null) {
      throw new IllegalStateException("the load failed", e);
    }
  }

  /** Stops sending until {@link #goOn}; waits until all sent messages have arrived. */
  public void pause() {
    paused = true;
    due(0, System.currentTimeMillis() + 2 * DELAY_MS, partition -> false);
  }

  /**
   * Resumes sending.
   *
   * @return the earliest due time of the next message, in epoch milliseconds
   */
  public long goOn() {
    paused = false;
    return System.currentTimeMillis() + DELAY_MS;
  }

  /** Returns the number of arrivals that were repetitions. */
  public long repeated() {
    return repeated.get();
  }

  /** Stops the load after the last message has arrived. */
  @Override
  public void close() {
    over = true;
    try {
      for (Thread thread : threads) {
        thread.join(TimeUnit.MINUTES.toMillis(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    requireNoFailure();
    if (arrivals.size() < dues.size()) {
      throw incomplete(Long.MAX_VALUE);
    }
  }
}
