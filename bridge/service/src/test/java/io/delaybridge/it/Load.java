package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Many random messages and their expected outcomes. Every failure contains the seed, so that it can
 * be repeated.
 */
final class Load {

  private final Scenario scenario;
  private final String intake;
  private final long seed;
  private final Random random;
  private final Map<String, Sent> sent = new ConcurrentHashMap<>();

  private record Sent(ProducerRecord<byte[], byte[]> record, String target, long due) {}

  Load(Scenario scenario) {
    this(scenario, scenario.intake);
  }

  /** Creates a load for one of several intakes. */
  Load(Scenario scenario, String intake) {
    this.scenario = scenario;
    this.intake = intake;
    this.seed = Long.getLong("it.seed", System.nanoTime());
    this.random = new Random(seed);
  }

  /** Sends this many messages that are due within {@code maxDelay} milliseconds. */
  Load send(int count, int maxDelay, String... targets) {
    Map<Future<RecordMetadata>, Sent> acknowledged = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String target = targets[random.nextInt(targets.length)];
      int delay = random.nextInt(maxDelay + 1);
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(intake, null, System.currentTimeMillis(), key(), value());
      record.headers().add(DelayHeaders.TARGET_TOPIC, target.getBytes(StandardCharsets.UTF_8));
      when(record, delay);
      for (int h = random.nextInt(3); h > 0; h--) {
        record
            .headers()
            .add("foreign-" + random.nextInt(2), random.nextInt(5) == 0 ? null : bytes(12));
      }
      Sent message = new Sent(record, target, record.timestamp() + delay);
      acknowledged.put(scenario.world.producer.send(record), message);
    }
    acknowledged.forEach(
        (future, message) -> sent.put(Scenario.source(Scenario.get(future)), message));
    return this;
  }

  private void when(ProducerRecord<byte[], byte[]> record, int delay) {
    String name;
    String text;
    switch (random.nextInt(3)) {
      case 0 -> {
        name = DelayHeaders.DELAY_MS;
        text = Integer.toString(delay);
      }
      case 1 -> {
        name = DelayHeaders.DELAY_DURATION;
        text = java.time.Duration.ofMillis(delay).toString();
      }
      default -> {
        name = DelayHeaders.DELIVER_AT;
        text = Long.toString(record.timestamp() + delay);
      }
    }
    record.headers().add(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private byte @Nullable [] key() {
    return random.nextInt(5) == 0 ? null : bytes(1 + random.nextInt(8));
  }

  private byte @Nullable [] value() {
    return random.nextInt(20) == 0 ? null : bytes(random.nextInt(200));
  }

  private byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  int size() {
    return sent.size();
  }

  /** Checks that no message is lost, early, changed, or repeated more often than allowed. */
  void check(Inbox inbox, int mostPerMessage) {
    List<String> faults = new ArrayList<>();
    int repeated = 0;
    for (Map.Entry<String, Sent> entry : sent.entrySet()) {
      List<Arrival> arrivals = inbox.of(entry.getKey());
      if (arrivals.isEmpty()) {
        faults.add("lost: " + entry.getKey());
      }
      if (arrivals.size() > mostPerMessage) {
        faults.add(arrivals.size() + " times: " + entry.getKey());
      }
      repeated += Math.max(0, arrivals.size() - 1);
      for (Arrival arrival : arrivals) {
        compare(entry.getKey(), entry.getValue(), arrival, faults);
      }
    }
    assertThat(faults)
        .as("seed %d, %d messages, %d repeated", seed, sent.size(), repeated)
        .isEmpty();
    assertThat(inbox.distinct()).as("messages that nobody sent, seed %d", seed).isEqualTo(size());
  }

  private static void compare(String source, Sent sent, Arrival arrival, List<String> faults) {
    if (!arrival.record().topic().equals(sent.target)) {
      faults.add("on topic " + arrival.record().topic() + ": " + source);
    }
    if (!Arrays.equals(arrival.record().key(), sent.record.key())
        || !Arrays.equals(arrival.record().value(), sent.record.value())) {
      faults.add("changed: " + source);
    }
    if (arrival.record().timestamp() < sent.due || arrival.at() < sent.due) {
      faults.add("early: " + source);
    }
    if (!String.valueOf(sent.due).equals(arrival.header(DelayHeaders.DUE_AT))) {
      faults.add("due at " + arrival.header(DelayHeaders.DUE_AT) + ": " + source);
    }
    if (!foreign(sent.record.headers()).equals(foreign(arrival.record().headers()))) {
      faults.add("headers changed: " + source);
    }
  }

  private static List<String> foreign(Iterable<Header> headers) {
    List<String> foreign = new ArrayList<>();
    for (Header header : headers) {
      if (!header.key().startsWith("delay-")) {
        foreign.add(header.key() + "=" + Arrays.toString(header.value()));
      }
    }
    return foreign;
  }
}
