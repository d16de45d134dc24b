package io.delaybridge.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.schemas.KnownHeaders;
import io.delaybridge.schemas.Reason;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The library's copies of the contract are equal to the contract. */
class WireTest {

  @Test
  void everyHeaderOfTheContractHasItsName() {
    Map<String, Object> contract = constants(DelayHeaders.class.getFields());
    // Names for the bridge and its API alone.
    Set.of("OP_SCHEDULE", "OP_MOVE", "OP_SKIP", "OP_REJECT", "OP_PAUSE", "OP_RESUME", "REPEAT")
        .forEach(contract::remove);
    // Missed has the words.
    Set.of("MISSED_ONE", "MISSED_ALL", "MISSED_SKIP").forEach(contract::remove);

    assertThat(constants(Wire.class.getDeclaredFields())).containsAllEntriesOf(contract);
  }

  @Test
  void whatBecomesOfTheMissedIsAWordOfTheContract() {
    assertThat(Missed.values())
        .extracting(Missed::word)
        .containsExactly(
            DelayHeaders.MISSED_ONE, DelayHeaders.MISSED_ALL, DelayHeaders.MISSED_SKIP);
  }

  @Test
  void anUnknownNameIsRefusedWithTheWordsOfTheContract() {
    List<String> names =
        new ArrayList<>(List.of("delay-timezone", "delay-", "delay-Id", "delay-x"));
    names.add("delay-" + "y".repeat(90));
    DelayHeaders.KNOWN.forEach(known -> names.addAll(List.of(known + "s", known.substring(1))));

    assertThat(names)
        .allSatisfy(name -> assertThat(Names.refusal(name)).isEqualTo(KnownHeaders.refusal(name)));
  }

  @Test
  void theTopicsAreThoseOfTheContract() {
    assertThat(Wire.INTAKE).isEqualTo(DelayTopics.INTAKE);
    assertThat(Wire.DEAD_LETTER).isEqualTo(DelayTopics.DEAD_LETTER);
  }

  @Test
  void theReasonsOfTheConsumerAreThoseOfTheContract() {
    assertThat(RetryLater.FAILED).isEqualTo(Reason.CONSUMER_FAILED.name());
    assertThat(RetryLater.REJECTED).isEqualTo(Reason.CONSUMER_REJECTED.name());
  }

  private static Map<String, Object> constants(Field[] fields) {
    return Arrays.stream(fields)
        .filter(field -> field.trySetAccessible() && !field.isSynthetic())
        .collect(Collectors.toMap(Field::getName, WireTest::valueOf));
  }

  private static Object valueOf(Field constant) {
    try {
      return constant.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
