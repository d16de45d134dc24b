package io.delaybridge.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
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
