package io.delaybridge.admin.history;

import io.delaybridge.admin.history.Instances.Report;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sum of tallies.
 *
 * @param delivered by target, lateness in milliseconds
 * @param failed by target
 */
public record Totals(
    long ingested, long retried, Map<String, Histogram> delivered, Map<String, Long> failed) {

  /** Upper bounds of the buckets that lateness is shown in, in milliseconds. */
  public static final List<Long> BOUNDS =
      List.of(
          0L,
          1L,
          2L,
          3L,
          5L,
          8L,
          10L,
          15L,
          20L,
          30L,
          50L,
          80L,
          100L,
          150L,
          200L,
          300L,
          500L,
          800L,
          1_000L,
          2_000L,
          5_000L,
          10_000L,
          30_000L,
          60_000L,
          600_000L,
          3_600_000L);

  private static final Logger LOG = LoggerFactory.getLogger(Totals.class);

  /**
   * @param intakes which intakes count
   */
  public static Totals of(List<Report> reports, Predicate<String> intakes) {
    long ingested = 0;
    long retried = 0;
    Map<String, Histogram> delivered = new HashMap<>();
    Map<String, Long> failed = new HashMap<>();
    for (Report report : reports) {
      for (Map.Entry<String, Tally.Snapshot> intake : report.tally().entrySet()) {
        if (!intakes.test(intake.getKey())) {
          continue;
        }
        Tally.Snapshot tally = intake.getValue();
        ingested += tally.ingested();
        retried += tally.retried();
        tally
            .targets()
            .forEach(
                (topic, target) -> {
                  delivered.computeIfAbsent(topic, key -> empty()).add(decode(target.lateness()));
                  failed.merge(topic, target.failed(), Long::sum);
                });
      }
    }
    return new Totals(ingested, retried, delivered, failed);
  }

  private static Histogram empty() {
    return new Histogram(Tally.DIGITS);
  }

  private static Histogram decode(String text) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
      return Histogram.decodeFromCompressedByteBuffer(bytes, 0);
    } catch (DataFormatException | IllegalArgumentException e) {
      LOG.warn("The histogram of another instance cannot be read and is left out", e);
      return empty();
    }
  }

  /** The lateness of all targets together. */
  public Histogram lateness() {
    Histogram all = empty();
    delivered.values().forEach(all::add);
    return all;
  }

  public long deliveredCount() {
    return delivered.values().stream().mapToLong(Histogram::getTotalCount).sum();
  }

  public long deadLettered() {
    return failed.values().stream().mapToLong(Long::longValue).sum();
  }

  /** One count for each of {@link #BOUNDS} and one for what is above them all. */
  public static List<Long> buckets(Histogram lateness) {
    long[] counts = new long[BOUNDS.size() + 1];
    for (HistogramIterationValue value : lateness.recordedValues()) {
      int bucket = 0;
      // Cells of the histogram are wider than the distance between some bounds: their lower end
      // counts.
      long late = lateness.lowestEquivalentValue(value.getValueIteratedTo());
      while (bucket < BOUNDS.size() && late > BOUNDS.get(bucket)) {
        bucket++;
      }
      counts[bucket] += value.getCountAtValueIteratedTo();
    }
    return Arrays.stream(counts).boxed().toList();
  }
}
