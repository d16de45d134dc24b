package io.delaybridge.stack;

import static io.delaybridge.schemas.DelayHeaders.DELAY_DURATION;
import static io.delaybridge.schemas.DelayHeaders.DELAY_MS;
import static io.delaybridge.schemas.DelayHeaders.DELIVER_AT;
import static io.delaybridge.schemas.DelayHeaders.ID;
import static io.delaybridge.schemas.DelayHeaders.OP;
import static io.delaybridge.schemas.DelayHeaders.OP_CANCEL;
import static io.delaybridge.schemas.DelayHeaders.TARGET_TOPIC;

import io.delaybridge.schemas.DelayTopics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** A few messages that show what the bridge does and whether it works. */
final class Demo {

  /** The target topic of the messages. */
  static final String TOPIC = "delay-demo";

  /** Where the one waits that is due long after the demo. */
  static final String LATER = DelayTopics.laterOf(DelayTopics.INTAKE);

  /** The value of that one. */
  static final String FAR = "in 30 days";

  private static final String RUN_HEADER = "demo-run";
  private static final String CANCELLED = "cancelled";
  private static final String MALFORMED = "due whenever";

  private final String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
  private final Set<String> missing = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile boolean cancelledArrived;
  private volatile boolean farWaits;
  private int expected;

  /**
   * Sends all messages. The caller must pass to {@link #arrived} what arrives, and what it sees in
   * the topic {@link #LATER}.
   *
   * @throws StackException if Kafka does not accept one
   */
  void send(String bootstrapServers) {
    List<ProducerRecord<String, String>> records =
        List.of(
            expect("after 1 s", DELAY_MS, "1000"),
            expect("after 2.5 s", DELAY_MS, "2500"),
            expect("after 4 s", DELAY_DURATION, "PT4S"),
            expect("at a fixed time, in 7 s", DELIVER_AT, inSeconds(7)),
            expect("after 10 s", DELAY_DURATION, "PT10S"),
            expect(MALFORMED, DELAY_MS, "whenever"),
            message(CANCELLED, DELAY_DURATION, "PT6S"),
            message(FAR, DELAY_DURATION, "P30D"),
            cancel());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new StringSerializer(),
            new StringSerializer())) {
      for (Future<RecordMetadata> sent : records.stream().map(producer::send).toList()) {
        sent.get();
      }
    } catch (ExecutionException e) {
      throw new StackException("The demo cannot be sent: " + e.getCause(), e);
    } catch (InterruptedException e) {
      throw StackException.interrupted("the demo to be sent", e);
    }
  }

  /**
   * Returns a future that completes when all expected messages have arrived. The cancelled message
   * is due before that.
   */
  CompletableFuture<Void> done() {
    return done;
  }

  /** The value of the header that all messages of this demo have. */
  String run() {
    return run;
  }

  void arrived(Arrival arrival) {
    if (run.equals(arrival.header(RUN_HEADER))) {
      String value = new String(arrival.record().value(), StandardCharsets.UTF_8);
      cancelledArrived |= value.equals(CANCELLED);
      farWaits |= value.equals(FAR) && arrival.record().topic().equals(LATER);
      missing.remove(value);
      if (missing.isEmpty()) {
        done.complete(null);
      }
    }
  }

  /** Returns one line about the outcome. */
  String summary() {
    String cancelled = cancelledArrived ? "ARRIVED ALL THE SAME" : "did not arrive, as it should";
    return missing.isEmpty()
        ? "Demo complete: all %d arrived, the cancelled one %s. One that is due in 30 days %s %s."
            .formatted(expected, cancelled, farWaits ? "waits in" : "was not seen in", LATER)
        : "Demo NOT complete: still missing %s; the cancelled one %s."
            .formatted(missing, cancelled);
  }

  private ProducerRecord<String, String> expect(String value, String when, String due) {
    missing.add(value);
    expected++;
    return message(value, when, due);
  }

  /**
   * Returns a message with its id as the key, so that a cancel request goes to the same partition.
   */
  private ProducerRecord<String, String> message(String value, String when, String due) {
    String id = run + "-" + value;
    return record(id, value, RUN_HEADER, run, TARGET_TOPIC, TOPIC, ID, id, when, due);
  }

  private ProducerRecord<String, String> cancel() {
    String id = run + "-" + CANCELLED;
    return record(id, null, OP, OP_CANCEL, ID, id);
  }

  /** Returns a record with headers, which are given as alternating names and values. */
  private static ProducerRecord<String, String> record(
      String id, @Nullable String value, String... headers) {
    ProducerRecord<String, String> record = new ProducerRecord<>(DelayTopics.INTAKE, id, value);
    for (int i = 0; i < headers.length; i += 2) {
      record.headers().add(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return record;
  }

  private static String inSeconds(int seconds) {
    return Instant.now().plusSeconds(seconds).toString();
  }
}
