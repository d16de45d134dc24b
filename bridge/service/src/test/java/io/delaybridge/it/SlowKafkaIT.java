package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.schemas.DelayHeaders;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kafka accepts much less than is due at once, because of a quota as on hosted services. Kafka
 * averages over eleven seconds, so the first megabytes go through.
 */
class SlowKafkaIT {

  private static final int PARTITIONS = 8;
  private static final int VALUE = 100_000;
  private static final int MESSAGES = 160;
  private static final double BYTES_A_SECOND = 600_000;

  private static final Duration LIMIT = Duration.ofSeconds(90);

  private static World world;

  @BeforeAll
  static void start() {
    world = World.start();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly_once", "at_least_once"})
  void what_is_due_goes_out_as_fast_as_kafka_takes_it(String guarantee) {
    try (Scenario scenario = world.scenario().partitions(PARTITIONS).withTarget()) {
      scenario.guarantee(guarantee).delivery("loops", "1").bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      String value = "v".repeat(VALUE);
      long due = System.currentTimeMillis() + 5_000;
      scenario.sendAll(
          MESSAGES,
          i ->
              Scenario.in(
                  scenario.intake,
                  i % PARTITIONS,
                  scenario.record(
                      null,
                      value,
                      DelayHeaders.TARGET_TOPIC,
                      scenario.target,
                      DelayHeaders.DELIVER_AT,
                      Long.toString(due))));
      quota(BYTES_A_SECOND);
      assertThat(System.currentTimeMillis()).as("none is due before").isLessThan(due);
      try {
        await().atMost(LIMIT).until(() -> inbox.distinct() == MESSAGES);
      } finally {
        quota(null);
      }
      assertThat(inbox.distinct()).isEqualTo(MESSAGES);
      if (guarantee.equals("exactly_once")) {
        // Any duplicate would arrive before this.
        inbox.awaitOne(Scenario.source(scenario.sendTo(0, "last")), LIMIT);
        assertThat(inbox.all()).hasSize(MESSAGES + 1);
      }
    }
  }

  private static void quota(@Nullable Double bytesPerSecond) {
    ClientQuotaEntity everybody =
        new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.USER, null));
    ClientQuotaAlteration alteration =
        new ClientQuotaAlteration(
            everybody, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond)));
    Scenario.get(world.admin.alterClientQuotas(List.of(alteration)).all());
  }
}
