package io.delaybridge.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;

class RetryTemplateTest {

  private static final byte[] BYTES = {-1, 0, 10};

  private static Map<String, Object> config(Object keys, Object values) {
    return new HashMap<>(
        Map.of(
            "bootstrap.servers", "127.0.0.1:1",
            "key.serializer", keys,
            "value.serializer", values));
  }

  private static byte[] written(Serializer<Object> serializer, Object value) {
    return serializer.serialize("topic", value);
  }

  @Test
  void bytesAreWrittenAsTheyAreAndEverythingElseAsTheApplicationDoes() {
    ProducerFactory<Object, Object> application =
        new DefaultKafkaProducerFactory<>(
            config(IntegerSerializer.class, StringSerializer.class.getName()));

    try (RetryTemplate template = new RetryTemplate(application)) {
      ProducerFactory<Object, Object> own = template.template().getProducerFactory();
      Serializer<Object> keys = Objects.requireNonNull(own.getKeySerializer());
      Serializer<Object> values = Objects.requireNonNull(own.getValueSerializer());

      assertThat(written(keys, BYTES)).isEqualTo(BYTES);
      assertThat(written(keys, 7)).containsExactly(0, 0, 0, 7);
      assertThat(written(values, BYTES)).isEqualTo(BYTES);
      assertThat(written(values, "ä")).isEqualTo("ä".getBytes(UTF_8));
      assertThat(template.template().isTransactional()).isFalse();
    }
  }

  @Test
  void serializersThatTheApplicationMadeItselfAreUsed() {
    ProducerFactory<Integer, String> application =
        new DefaultKafkaProducerFactory<>(
            config(StringSerializer.class, StringSerializer.class),
            new IntegerSerializer(),
            (topic, text) -> text.toUpperCase(java.util.Locale.ROOT).getBytes(UTF_8));

    try (RetryTemplate template = new RetryTemplate(application)) {
      ProducerFactory<Object, Object> own = template.template().getProducerFactory();

      assertThat(written(Objects.requireNonNull(own.getKeySerializer()), 7))
          .containsExactly(0, 0, 0, 7);
      assertThat(written(Objects.requireNonNull(own.getValueSerializer()), "a"))
          .isEqualTo("A".getBytes(UTF_8));
    }
  }

  /** A record that was compressed when it was read may be larger than a producer accepts. */
  @Test
  void itWritesLargeRecordsUnlessTheApplicationSaysOtherwise() {
    Map<String, Object> config = config(StringSerializer.class, StringSerializer.class);
    try (RetryTemplate template = new RetryTemplate(new DefaultKafkaProducerFactory<>(config))) {
      assertThat(template.template().getProducerFactory().getConfigurationProperties())
          .containsEntry("compression.type", "gzip")
          .containsEntry("max.request.size", 16 << 20);
    }

    config.put("compression.type", "none");
    config.put("max.request.size", "5000");
    try (RetryTemplate template = new RetryTemplate(new DefaultKafkaProducerFactory<>(config))) {
      assertThat(template.template().getProducerFactory().getConfigurationProperties())
          .containsEntry("compression.type", "none")
          .containsEntry("max.request.size", "5000");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "all"})
  void itWaitsForAllReplicasWhateverTheApplicationSays(String acks) {
    Map<String, Object> config = config(StringSerializer.class, StringSerializer.class);
    config.put("acks", acks);
    config.put("enable.idempotence", "false");

    try (RetryTemplate template = new RetryTemplate(new DefaultKafkaProducerFactory<>(config))) {
      assertThat(template.template().getProducerFactory().getConfigurationProperties())
          .containsEntry("acks", "all")
          .doesNotContainKey("enable.idempotence");
    }
  }

  /** Kafka refuses an idempotent producer with more than five requests in flight. */
  @Test
  void moreRequestsInFlightThanIdempotenceAllowsAreNoHindrance() {
    Map<String, Object> config = config(StringSerializer.class, StringSerializer.class);
    config.put("acks", "1");
    config.put("max.in.flight.requests.per.connection", "10");

    try (RetryTemplate template = new RetryTemplate(new DefaultKafkaProducerFactory<>(config));
        var producer = template.template().getProducerFactory().createProducer()) {
      assertThat(producer).isNotNull();
    }
  }

  @Test
  void whatTheApplicationDoesToItsProducersIsDoneToThoseOfTheTemplate() {
    DefaultKafkaProducerFactory<String, String> application =
        new DefaultKafkaProducerFactory<>(config(StringSerializer.class, StringSerializer.class));
    List<String> told = new ArrayList<>();
    application.addPostProcessor(
        producer -> {
          told.add("processed");
          return producer;
        });
    application.addListener(
        new ProducerFactory.Listener<>() {
          @Override
          public void producerAdded(String id, Producer<String, String> producer) {
            told.add(id);
          }
        });

    try (RetryTemplate template = new RetryTemplate(application);
        var producer = template.template().getProducerFactory().createProducer()) {
      assertThat(producer).isNotNull();
      assertThat(told).first().isEqualTo("processed");
      assertThat(told).last().asString().startsWith("delayBridgeRetryTemplate.");
      assertThat(told).hasSize(2);
    }
  }

  @Test
  void itsTransactionsHaveIdsOfTheirOwn() {
    DefaultKafkaProducerFactory<Object, Object> application =
        new DefaultKafkaProducerFactory<>(config(StringSerializer.class, StringSerializer.class));
    application.setTransactionIdPrefix("shop-");

    try (RetryTemplate template = new RetryTemplate(application)) {
      assertThat(template.template().isTransactional()).isTrue();
      assertThat(template.template().getProducerFactory().getTransactionIdPrefix())
          .isEqualTo("shop-delay-bridge-");
    }
  }
}
