package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.lab.Checklist;
import io.delaybridge.bench.speed.lab.Loader;
import io.delaybridge.bench.speed.lab.Metrics;
import io.delaybridge.bench.speed.lab.Sent;
import io.delaybridge.bench.speed.lab.Span;
import io.delaybridge.bench.speed.lab.Station;
import io.delaybridge.bench.speed.lab.Tail;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A herd of messages that are due in one millisecond. While it drains, messages for another target
 * become due in the middle of it, one in each partition of the intake.
 *
 * <p>In the due order of its partition, a message comes after all messages that are due before it.
 * The time beyond that place begins when the last herd message of the same partition is appended,
 * or at the message's own due time if that is later. It ends when the broker appends the message. A
 * turn is the mean duration that the metrics of the bridge give for the turns in which the herd
 * drained.
 */
final class Herd {

  private static final int LEAD_MS = 15_000;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Setup setup;
  private final Station bridge;
  private final Tail strangers;
  private final String stranger = "herd-stranger";
  private final int partitions;
  private final int size;

  Herd(Setup setup) {
    this.setup = setup;
    this.partitions = setup.options().partitions();
    this.size = setup.options().size();
    setup.lab().createTopic(stranger, partitions, true);
    this.bridge = setup.bridge("bridge", setup.options().guarantee());
    this.strangers = setup.tail(stranger);
  }

  void run() throws InterruptedException {
    Series series = new Series();
    for (int round = 0; round <= setup.options().rounds(); round++) {
      double plain = bridge.storeAndDrain(size).drain();
      Result result = herd((long) (1e3 * setup.options().messages() / plain / 2));
      setup.line(
          "round %d: drain %,.0f/s, herd %,.0f/s, stranger beyond its place by %.0f ms, a turn"
              + " is %.0f ms",
          round, plain, result.rate, result.beyondMs, result.turnMs);
      if (round > 0) {
        series.keep("drain", plain);
        series.keep("herd", result.rate);
        series.keep("turn", result.turnMs);
        series.keep("beyond", result.beyondMs);
      }
    }
    String group = "%,d in one ms".formatted(setup.options().messages());
    setup.add(group, "drain without strangers", "msg/s", series.of("drain"));
    setup.add(group, "drain with them", "msg/s", series.of("herd"));
    setup.add(group, "with ÷ without", "", series.ratio("herd", "drain"), Goal.atLeast(0.9));
    setup.add(group, "a turn while it drains", "ms", series.of("turn"));
    setup.add(group, "a stranger, latest beyond its place", "ms", series.of("beyond"));
    setup.add(
        group, "beyond its place ÷ a turn", "", series.ratio("beyond", "turn"), Goal.atMost(1));
  }

  private record Result(double rate, double beyondMs, double turnMs) {}

  private Result herd(long middleMs) throws InterruptedException {
    bridge.tail().toEnd();
    strangers.toEnd();
    int messages = setup.options().messages();
    long stored = bridge.gauge().stored();
    long due = System.currentTimeMillis() + LEAD_MS;
    String intake = bridge.lane().intake();
    byte[] value = Loader.value(size);
    Checklist ofHerd = bridge.fill(messages, size, due);
    Sent sent =
        bridge.loader().fill(intake, partitions, value, Loader.dueAt(stranger, due + middleMs));
    bridge.gauge().awaitStored(stored + messages + partitions, LIMIT);
    long wait = due - System.currentTimeMillis();
    if (wait < 0) {
      throw new IllegalStateException(
          "storing took longer than %d ms, allowed: fewer --messages".formatted(LEAD_MS));
    }
    // A loop that waits has short turns, which are not part of the measurement.
    TimeUnit.MILLISECONDS.sleep(wait);
    Metrics before = Metrics.of(bridge.lane());
    Map<String, Double> lastOfHerd = new HashMap<>();
    Span span =
        bridge
            .tail()
            .await(
                ofHerd,
                LIMIT,
                record -> lastOfHerd.merge(source(record), (double) record.timestamp(), Math::max));
    double turn = Metrics.of(bridge.lane()).since(before).mean("delay_bridge_turn_seconds");
    List<Double> beyond = new ArrayList<>();
    strangers.await(
        Checklist.dueAt(sent, due + middleMs),
        LIMIT,
        record -> {
          double place =
              Math.max(
                  (double) (due + middleMs), lastOfHerd.getOrDefault(source(record), (double) due));
          beyond.add(record.timestamp() - place);
        });
    double latest = beyond.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    return new Result(span.rate(), latest, 1e3 * turn);
  }

  /** Returns the topic and the partition of the intake that the record came from. */
  private static String source(ConsumerRecord<byte[], byte[]> record) {
    String source =
        new String(
            record.headers().lastHeader(DelayHeaders.SOURCE).value(), StandardCharsets.UTF_8);
    return source.substring(0, source.lastIndexOf('/'));
  }
}
