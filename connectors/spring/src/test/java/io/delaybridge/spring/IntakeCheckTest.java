package io.delaybridge.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.spring.IntakeCheck.Answer;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaAdmin;

class IntakeCheckTest {

  private Instant now = Instant.EPOCH;

  /** Fails without waiting: there is no such host. */
  private final KafkaAdmin nowhere = new KafkaAdmin(Map.of("bootstrap.servers", "kafka.invalid:1"));

  @Test
  void itAsksAtMostOnceInTenSeconds() {
    try (IntakeCheck check = new IntakeCheck(nowhere, "delay-intake", () -> now)) {
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
}
