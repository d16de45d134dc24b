package io.delaybridge.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.bench.faults.Nature.Kind;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The load follows from the seed, and has every kind of message. */
class NatureTest {

  private static final int SIZE = 20_000;

  @Test
  void a_number_is_the_same_message_each_time_and_another_one_with_another_seed() {
    int different = 0;
    for (int number = 0; number < SIZE; number++) {
      assertThat(Nature.of(1, number, 6_000)).isEqualTo(Nature.of(1, number, 6_000));
      different += Nature.of(1, number, 6_000).equals(Nature.of(2, number, 6_000)) ? 0 : 1;
    }
    assertThat(different).isGreaterThan(SIZE * 9 / 10);
  }

  @Test
  void every_kind_every_target_past_due_ones_and_ties_are_there() {
    Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
    int[] targets = new int[Nature.TARGETS];
    int past = 0;
    int tied = 0;
    for (int number = 0; number < SIZE; number++) {
      Nature nature = Nature.of(1, number, 6_000);
      kinds.merge(nature.kind(), 1, Integer::sum);
      targets[nature.target()]++;
      past += nature.delay() < 0 ? 1 : 0;
      tied += nature.delay() % 250 == 0 ? 1 : 0;
    }
    assertThat(kinds).hasSize(Kind.values().length);
    assertThat(kinds.values()).allMatch(count -> count > SIZE / 200);
    assertThat(targets).doesNotContain(0);
    assertThat(past).isGreaterThan(SIZE / 50);
    assertThat(tied).isGreaterThan(SIZE / 20);
  }

  @Test
  void a_value_is_read_back_and_any_changed_byte_is_noticed() {
    byte[] value = new Payload(77, true, 1_234, 3).encode(50);
    assertThat(Payload.decode(value)).contains(new Payload(77, true, 1_234, 3));
    for (int i = 0; i < value.length; i++) {
      byte[] changed = value.clone();
      changed[i] ^= 0x10;
      assertThat(Payload.decode(changed)).as("byte %d", i).isEmpty();
    }
  }
}
