package io.delaybridge.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.bench.faults.Nature.Kind;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** The checker itself is checked: each kind of broken promise is shown to it. */
class JudgeTest {

  private static final long SEEN = Delivered.DUE + 5;

  private final Delivered delivered = new Delivered();
  private final Findings findings = new Findings();
  private final Judge judge = new Judge(delivered.ledger, findings, 0);

  private void deliverAllBut(int left) {
    for (int number = 0; number < Delivered.SIZE; number++) {
      if (number != left && delivered.ledger.isExpected(number)) {
        judge.arrived(delivered.record(number), SEEN);
      }
    }
  }

  private void assertOnly(Violation violation, int count) {
    judge.conclude();
    for (Violation each : Violation.values()) {
      assertThat(findings.count(each))
          .as("%s, %s", each, findings.lines())
          .isEqualTo(each == violation ? count : 0);
    }
    assertThat(findings.isBroken(0)).isTrue();
  }

  @Test
  void nothing_is_found_when_everything_arrives_once_and_in_time() {
    deliverAllBut(-1);
    judge.conclude();
    assertThat(findings.lines()).isEmpty();
    assertThat(findings.isBroken(0)).isFalse();
    assertThat(judge.distinct()).isEqualTo(delivered.ledger.expected());
  }

  @Test
  void a_message_that_does_not_arrive_is_lost() {
    deliverAllBut(delivered.first(Kind.PLAIN));
    assertOnly(Violation.LOST, 1);
  }

  @Test
  void a_dead_letter_that_does_not_arrive_is_lost() {
    deliverAllBut(delivered.first(Kind.MALFORMED));
    assertOnly(Violation.LOST, 1);
  }

  @Test
  void a_message_that_arrives_twice_is_duplicated_and_within_a_bound_that_is_allowed() {
    deliverAllBut(-1);
    judge.arrived(delivered.record(delivered.first(Kind.PLAIN)), SEEN);
    assertOnly(Violation.DUPLICATED, 1);
    assertThat(findings.isBroken(1)).isFalse();
  }

  @Test
  void a_message_that_arrives_three_times_counts_twice() {
    deliverAllBut(-1);
    judge.arrived(delivered.record(0), SEEN);
    judge.arrived(delivered.record(0), SEEN);
    assertOnly(Violation.DUPLICATED, 2);
    assertThat(findings.isBroken(1)).isTrue();
  }

  @Test
  void a_message_that_was_sent_before_it_was_due_is_early() {
    int number = delivered.first(Kind.PLAIN);
    deliverAllBut(number);
    judge.arrived(
        delivered.record(
            number, delivered.topic(number), Delivered.DUE - 1, delivered.payload(number, false)),
        SEEN);
    assertOnly(Violation.EARLY, 1);
  }

  @Test
  void a_message_that_is_seen_before_it_is_due_is_early_whatever_the_bridge_says() {
    int number = delivered.first(Kind.PLAIN);
    deliverAllBut(number);
    judge.arrived(delivered.record(number), Delivered.DUE - 1);
    assertOnly(Violation.EARLY, 1);
  }

  @Test
  void a_changed_byte_is_corruption() {
    int number = delivered.first(Kind.PLAIN);
    deliverAllBut(number);
    byte[] value = delivered.payload(number, false);
    value[value.length - 6] ^= 1;
    judge.arrived(delivered.record(number, delivered.topic(number), Delivered.DUE, value), SEEN);
    judge.conclude();
    assertThat(findings.count(Violation.CORRUPTED)).isEqualTo(1);
    assertThat(findings.count(Violation.LOST)).isEqualTo(1);
  }

  @Test
  void a_value_that_is_gone_is_corruption() {
    ConsumerRecord<byte[], byte[]> whole = delivered.record(0);
    judge.arrived(new ConsumerRecord<>(whole.topic(), 0, 0, whole.key(), null), SEEN);
    assertThat(findings.count(Violation.CORRUPTED)).isEqualTo(1);
  }

  @Test
  void a_changed_header_is_corruption() {
    int number = delivered.first(Kind.PLAIN);
    deliverAllBut(number);
    ConsumerRecord<byte[], byte[]> record = delivered.record(number);
    record.headers().remove(Load.NUMBER);
    judge.arrived(record, SEEN);
    assertOnly(Violation.CORRUPTED, 1);
  }

  @Test
  void a_message_on_another_topic_is_misplaced() {
    int number = delivered.first(Kind.PLAIN);
    deliverAllBut(number);
    judge.arrived(
        delivered.record(
            number, BridgeConfig.DEAD_LETTERS, Delivered.DUE, delivered.payload(number, false)),
        SEEN);
    assertOnly(Violation.MISPLACED, 1);
  }

  @Test
  void what_was_cancelled_must_not_arrive() {
    deliverAllBut(-1);
    judge.arrived(delivered.record(delivered.first(Kind.CANCELLED)), SEEN);
    assertOnly(Violation.TAKEN_BACK, 1);
  }

  @Test
  void what_was_replaced_must_not_arrive() {
    int number = delivered.first(Kind.REPLACED);
    deliverAllBut(-1);
    judge.arrived(
        delivered.record(
            number, delivered.topic(number), Delivered.DUE, delivered.payload(number, true)),
        SEEN);
    assertOnly(Violation.TAKEN_BACK, 1);
  }

  @Test
  void a_message_from_where_it_was_not_sent_to_is_strange() {
    int number = delivered.first(Kind.PLAIN);
    deliverAllBut(number);
    ConsumerRecord<byte[], byte[]> record = delivered.record(number);
    record.headers().remove(DelayHeaders.SOURCE);
    record
        .headers()
        .add(DelayHeaders.SOURCE, "delay-intake/3/99999".getBytes(StandardCharsets.UTF_8));
    judge.arrived(record, SEEN);
    assertOnly(Violation.STRANGE, 1);
  }

  @Test
  void the_longest_stall_is_the_time_from_due_to_seen() {
    int number = delivered.first(Kind.PLAIN);
    long past = Math.max(0, -delivered.ledger.nature(number).delay());
    judge.arrived(delivered.record(number), Delivered.DUE + past + 1_234);
    assertThat(judge.longestStall()).isEqualTo(1_234);
  }

  @Test
  void a_load_that_was_not_written_proves_nothing() {
    delivered.ledger.sent(3, false, Position.NONE);
    assertThatThrownBy(judge::conclude).hasMessageContaining("message 3 was never acknowledged");
  }
}
