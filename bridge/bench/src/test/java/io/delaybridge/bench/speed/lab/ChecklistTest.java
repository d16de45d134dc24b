package io.delaybridge.bench.speed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class ChecklistTest {

  private static final long DUE_MS = 5_000;

  private final Checklist checklist = Checklist.dueAt(new Sent(10, 3), DUE_MS);

  @Test
  void itIsCompleteWhenEachNumberHasCome() {
    checklist.tick(11, DUE_MS);
    checklist.tick(12, DUE_MS);
    assertThat(checklist.isComplete()).isFalse();
    checklist.tick(10, DUE_MS);
    assertThat(checklist.isComplete()).isTrue();
  }

  @Test
  void aNumberThatComesTwiceIsNamedThoughAnotherIsLost() {
    checklist.tick(10, DUE_MS);
    checklist.tick(11, DUE_MS);
    assertThatThrownBy(() -> checklist.tick(11, DUE_MS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("number 11 came twice");
  }

  @Test
  void aNumberThatWasNotSentIsNamed() {
    assertThatThrownBy(() -> checklist.tick(9, DUE_MS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("number 9 came, which is none of the 3 from 10 on");
    assertThatThrownBy(() -> checklist.tick(13, DUE_MS)).hasMessageStartingWith("number 13 came");
  }

  @Test
  void theFirstThatIsMissingIsNamed() {
    checklist.tick(10, DUE_MS);
    checklist.tick(12, DUE_MS);
    assertThat(checklist.missing())
        .isEqualTo("only 2 of 3 came; the first that did not is number 11");
  }

  @Test
  void whatCameBeforeItWasDueIsToldAtTheEndWithHowMuch() {
    checklist.tick(10, DUE_MS - 1);
    checklist.tick(11, DUE_MS - 7);
    checklist.tick(12, DUE_MS);
    assertThatThrownBy(checklist::requireNoneEarly)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("2 of 3 records came before they were due, one of them by 7 ms");
  }

  @Test
  void eachNumberMayHaveADueTimeOfItsOwn() {
    Checklist own = new Checklist(new Sent(10, 3), number -> 100 * number);
    own.tick(10, 1_000);
    own.tick(12, 1_200);
    own.requireNoneEarly();
    own.tick(11, 1_099);
    assertThatThrownBy(own::requireNoneEarly).hasMessageContaining("1 of 3");
  }

  @Test
  void withoutDueTimesNothingIsEarly() {
    Checklist plain = Checklist.of(new Sent(0, 1));
    plain.tick(0, 0);
    plain.requireNoneEarly();
    assertThat(plain.isComplete()).isTrue();
  }

  @Test
  void theNumberIsTheKeyAndTheTimeThatOfTheRecord() {
    byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(12).array();
    // The time of the record is -1, so it is early.
    assertThat(checklist.tick(new ConsumerRecord<>("out", 0, 0, key, new byte[0]))).isEqualTo(12);
    assertThatThrownBy(checklist::requireNoneEarly).hasMessageContaining("by 5001 ms");
  }

  @Test
  void aRecordOfSomebodyElseIsNamed() {
    ConsumerRecord<byte[], byte[]> strange =
        new ConsumerRecord<>("out", 1, 77, new byte[] {1, 2}, new byte[0]);
    assertThatThrownBy(() -> checklist.tick(strange))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a record without a number: out-1@77");
  }

  @Test
  void moreThanCanBeCountedAreRejected() {
    assertThatThrownBy(() -> new Sent(0, 1L << 31))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("allowed: 0 to");
  }
}
