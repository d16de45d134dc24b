package io.delaybridge.bench.speed.micro;

import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Request;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The parsing of an intake record into a request. */
@State(Scope.Benchmark)
public class ParserBenchmark {

  private static final long TIMESTAMP = 1_700_000_000_000L;
  private static final Reading READING = Reading.latest(Duration.ofDays(7).toMillis(), 0);

  private final ConsumerRecord<byte[], byte[]> delayed =
      record(DelayHeaders.DELAY_MS, "3000", DelayHeaders.TARGET_TOPIC, "orders");
  private final ConsumerRecord<byte[], byte[]> named =
      record(
          DelayHeaders.DELIVER_AT,
          "2023-11-14T22:13:30Z",
          DelayHeaders.TARGET_TOPIC,
          "orders",
          DelayHeaders.ID,
          "order-4711");

  private static ConsumerRecord<byte[], byte[]> record(String... headers) {
    RecordHeaders all = new RecordHeaders();
    for (int i = 0; i < headers.length; i += 2) {
      all.add(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return new ConsumerRecord<>(
        "delay-intake",
        3,
        123_456_789L,
        TIMESTAMP,
        TimestampType.CREATE_TIME,
        8,
        100,
        new byte[8],
        new byte[100],
        all,
        Optional.empty());
  }

  /** Parses a delay in milliseconds and a target. */
  @Benchmark
  public Request delay() {
    return RequestParser.parse(delayed, READING);
  }

  /** Parses an instant in ISO-8601, a target and an id. */
  @Benchmark
  public Request instantAndId() {
    return RequestParser.parse(named, READING);
  }
}
