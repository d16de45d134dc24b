package io.delaybridge.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DelayHeadersTest {

  @Test
  void aProducerControlsTheBridgeWithTheseHeaders() {
    assertThat(DelayHeaders.CONTROL)
        .containsExactlyInAnyOrder(
            "delay-target-topic",
            "delay-target-partition",
            "delay-ms",
            "delay-duration",
            "delay-deliver-at",
            "delay-id",
            "delay-op",
            "delay-pending",
            "delay-ttl-ms",
            "delay-max-attempts",
            "delay-spread-ms",
            "delay-every",
            "delay-cron",
            "delay-zone",
            "delay-until",
            "delay-count",
            "delay-missed",
            "delay-last",
            "delay-paused",
            "delay-retry");
  }

  @Test
  void whatArrivesCarriesTheseHeaders() {
    assertThat(DelayHeaders.ARRIVAL)
        .containsExactlyInAnyOrder(
            "delay-source", "delay-due-at", "delay-delivered-at", "delay-attempt");
  }

  @Test
  void aDeadLetterCarriesTheseHeaders() {
    assertThat(DelayHeaders.DEAD)
        .containsExactlyInAnyOrder(
            "delay-dead-reason", "delay-dead-detail", "delay-dead-at", "delay-dead-content");
  }

  @Test
  void aReplayIsCounted() {
    assertThat(DelayHeaders.CARRIED).containsExactly("delay-replay");
  }

  @Test
  void anOccurrenceCarriesTheseHeaders() {
    assertThat(DelayHeaders.REPEATED)
        .containsExactlyInAnyOrder("delay-schedule", "delay-occurrence", "delay-scheduled-at");
  }

  @Test
  void aRetryOfAConsumerCarriesTheseHeaders() {
    assertThat(DelayHeaders.CONSUMER)
        .containsExactlyInAnyOrder(
            "delay-consumer-attempt",
            "delay-consumer-source",
            "delay-consumer-timestamp",
            "delay-consumer-id");
  }

  @Test
  void everyHeaderBelongsToExactlyOneGroup() {
    assertThat(
            Stream.of(
                    DelayHeaders.CONTROL,
                    DelayHeaders.ARRIVAL,
                    DelayHeaders.DEAD,
                    DelayHeaders.CONSUMER,
                    DelayHeaders.CARRIED,
                    DelayHeaders.REPEATED,
                    DelayHeaders.CALLBACK)
                .flatMap(Set::stream)
                .toList())
        .containsExactlyInAnyOrderElementsOf(namesOfAllHeaders());
    assertThat(DelayHeaders.KNOWN).isEqualTo(namesOfAllHeaders());
  }

  @Test
  void theCallbackConnectorHasTheseHeaders() {
    assertThat(DelayHeaders.CALLBACK)
        .containsExactlyInAnyOrder(
            "delay-callback-url",
            "delay-callback-attempt",
            "delay-callback-source",
            "delay-callback-id");
  }

  @Test
  void anOperationIsWrittenInOneWord() {
    assertThat(DelayHeaders.OP_SCHEDULE).isEqualTo("schedule");
    assertThat(DelayHeaders.OP_CANCEL).isEqualTo("cancel");
  }

  private static Set<String> namesOfAllHeaders() {
    return Arrays.stream(DelayHeaders.class.getFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .filter(field -> field.getType() == String.class && !isValue(field.getName()))
        .map(DelayHeadersTest::valueOf)
        .collect(Collectors.toSet());
  }

  private static boolean isValue(String name) {
    return name.startsWith("OP_") || name.startsWith("MISSED_");
  }

  private static String valueOf(Field constant) {
    try {
      return (String) constant.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
