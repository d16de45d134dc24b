package io.delaybridge.bench.speed.lab;

import io.delaybridge.stack.CpuTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The cost of broker, Redis and the process between them, up to a moment or between two.
 *
 * @param nanos time of the monotonic clock
 * @param broker processor time in milliseconds, as the next two
 * @param bridge the bridge or the pass-through
 * @param logBytes bytes in the logs of Kafka's own topics, {@code __transaction_state} and {@code
 *     __consumer_offsets}
 */
public record Bill(long nanos, long broker, long bridge, long redis, long logBytes) {

  private static final List<String> OWN = List.of("__transaction_state-", "__consumer_offsets-");

  /** Returns the cost up to now. */
  public static Bill now(Lab lab, Lane lane) {
    return new Bill(
        System.nanoTime(),
        CpuTime.of(lab.broker().pid()),
        CpuTime.of(lane.process().pid()),
        CpuTime.of(lab.redis().pid()),
        logBytes(lab.dir().resolve("kafka/data")));
  }

  private static long logBytes(Path data) {
    try (Stream<Path> partitions = Files.list(data)) {
      return partitions
          .filter(dir -> OWN.stream().anyMatch(dir.getFileName().toString()::startsWith))
          .mapToLong(Bill::sizeOfLogs)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long sizeOfLogs(Path dir) {
    try (Stream<Path> files = Files.list(dir)) {
      return files.filter(each -> each.toString().endsWith(".log")).mapToLong(Bill::size).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      // Compaction has deleted the file meanwhile.
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the cost since then. */
  public Bill since(Bill before) {
    return new Bill(
        nanos - before.nanos,
        broker - before.broker,
        bridge - before.bridge,
        redis - before.redis,
        logBytes - before.logBytes);
  }

  /** Converts milliseconds of processor time to cores. */
  public double cores(long millis) {
    return millis * 1e6 / nanos;
  }

  /** Returns the processor time of all three in milliseconds. */
  public long cpu() {
    return broker + bridge + redis;
  }
}
