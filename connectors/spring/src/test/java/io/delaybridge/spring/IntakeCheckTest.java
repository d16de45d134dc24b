package io.delaybridge.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.spring.IntakeCheck.Answer;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class IntakeCheckTest {

  private Instant now = Instant.EPOCH;

  @Test
  void itAsksAtMostOnceInTenSeconds() {
    // Fails without waiting: there is no such host.
    Map<String, Object> nowhere = Map.of("bootstrap.servers", "kafka.invalid:1");
    try (IntakeCheck check = new IntakeCheck(() -> nowhere, "delay-intake", () -> now)) {
      Answer first = check.answer();
      now = now.plus(IntakeCheck.FRESH).minusNanos(1);
      Answer known = check.answer();
      now = now.plusNanos(1);
      Answer second = check.answer();

      assertThat(first.problem()).isInstanceOf(KafkaException.class);
      assertThat(known).isSameAs(first);
      assertThat(second.at()).isEqualTo(now);
    }
  }

  @Test
  void itConnectsAsTheProducersDoUnderANameOfItsOwn() {
    assertThat(
            IntakeCheck.config(
                Map.of(
                    "bootstrap.servers", "kafka:9092",
                    "client.id", "shop",
                    "security.protocol", "SSL",
                    "a.login.module", "its own",
                    "acks", "all",
                    "transactional.id", "shop-")))
        .containsOnly(
            Map.entry("bootstrap.servers", "kafka:9092"),
            Map.entry("client.id", "delay-bridge-intake-check"),
            Map.entry("security.protocol", "SSL"),
            Map.entry("a.login.module", "its own"),
            Map.entry("request.timeout.ms", 3_000),
            Map.entry("default.api.timeout.ms", 3_000));
  }
}
