package io.delaybridge.client.kafka4;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.client.Backoff;
import io.delaybridge.client.RetryLater;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Properties;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-version")
class StreamsRetryTest {

  private static final Instant NOW = Instant.parse("2026-03-01T08:00:00Z");

  private final TopologyTestDriver driver =
      new TopologyTestDriver(
          StreamsRetry.topology(
              RetryLater.with(new Backoff(2, Duration.ofSeconds(5), Duration.ofSeconds(5)))
                  .retryTopic("orders.pricing.retry"),
              order -> Integer.toString(2 * Integer.parseInt(order))),
          config(),
          NOW);
  private final TestInputTopic<String, String> orders =
      driver.createInputTopic(
          "orders", new StringSerializer(), new StringSerializer(), Instant.EPOCH, Duration.ZERO);
  private final TestOutputTopic<String, String> prices = output("prices");
  private final TestOutputTopic<String, String> intake = output("delay-intake");
  private final TestOutputTopic<String, String> dead = output("delay-deadletter");

  private static Properties config() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "pricing");
    config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    return config;
  }

  private TestOutputTopic<String, String> output(String topic) {
    return driver.createOutputTopic(topic, new StringDeserializer(), new StringDeserializer());
  }

  private static String header(TestRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void whatSucceedsIsAnsweredWithoutTheHeadersOfItsDelivery() {
    Headers headers =
        new RecordHeaders()
            .add("delay-consumer-attempt", new byte[] {'2'})
            .add("mine", new byte[] {'x'});
    orders.pipeInput(new TestRecord<>("k", "21", headers));

    TestRecord<String, String> answer = prices.readRecord();
    assertThat(answer.value()).isEqualTo("42");
    assertThat(answer.headers()).extracting(Header::key).containsExactly("mine");
    assertThat(intake.isEmpty()).isTrue();
    assertThat(dead.isEmpty()).isTrue();
  }

  @Test
  void aFailureGoesToTheIntakeWithTheTimeOfNow() {
    orders.pipeInput("k", "many");

    TestRecord<String, String> retry = intake.readRecord();

    assertThat(retry.key()).isEqualTo("k");
    assertThat(retry.value()).isEqualTo("many");
    assertThat(retry.getRecordTime()).isEqualTo(NOW);
    assertThat(header(retry, "delay-target-topic")).isEqualTo("orders.pricing.retry");
    assertThat(header(retry, "delay-consumer-attempt")).isEqualTo("2");
    assertThat(header(retry, "delay-consumer-source")).isEqualTo("orders/0/0");
    assertThat(header(retry, "delay-consumer-timestamp")).isEqualTo("0");
    assertThat(prices.isEmpty()).isTrue();
  }

  @Test
  void aRetryHasTheTimeOfTheOrder() {
    TestInputTopic<String, String> retries =
        driver.createInputTopic(
            "orders.pricing.retry", new StringSerializer(), new StringSerializer());
    TestRecord<String, String> retry = new TestRecord<>("k", "21", NOW);
    retry
        .headers()
        .add("delay-consumer-timestamp", "1772352000000".getBytes(StandardCharsets.UTF_8));

    retries.pipeInput(retry);

    assertThat(prices.readRecord().timestamp()).isEqualTo(1772352000000L);
  }

  @Test
  void theLastFailureIsADeadLetter() {
    TestInputTopic<String, String> retries =
        driver.createInputTopic(
            "orders.pricing.retry", new StringSerializer(), new StringSerializer());
    TestRecord<String, String> last = new TestRecord<>("k", "many");
    last.headers().add("delay-consumer-attempt", "2".getBytes(StandardCharsets.UTF_8));

    retries.pipeInput(last);

    assertThat(header(dead.readRecord(), "delay-dead-reason")).isEqualTo("CONSUMER_FAILED");
    assertThat(intake.isEmpty()).isTrue();
  }
}
