package io.delaybridge.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.shard.Checkpoint;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Arrivals that no checkpoint covers are found. */
class FrontierWatchTest {

  private final Journal journal = new Journal();
  private final Findings findings = new Findings();

  private static Optional<Checkpoints> checkpoint(String pairs) {
    try {
      return Optional.of(
          new Checkpoints(Map.of(1, Checkpoint.parse("v1|topic|3|" + pairs + "|0:1000|4"))));
    } catch (Checkpoint.UnreadableException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private FrontierWatch watch(Optional<Checkpoints> committed) {
    return new FrontierWatch(() -> committed, journal, findings);
  }

  @Test
  void an_arrival_that_is_covered_is_as_it_should_be() {
    journal.add(Position.of(1, 9), 500, 510);
    watch(checkpoint("10:501:0")).look();
    assertThat(findings.lines()).isEmpty();
  }

  @Test
  void an_arrival_at_or_above_the_offset_of_the_pair_is_uncovered() {
    journal.add(Position.of(1, 10), 500, 510);
    watch(checkpoint("10:501:0")).look();
    assertThat(findings.count(Violation.UNCOVERED)).isEqualTo(1);
  }

  @Test
  void an_arrival_that_was_due_later_than_the_pair_says_is_uncovered() {
    journal.add(Position.of(1, 9), 501, 510);
    watch(checkpoint("10:501:0")).look();
    assertThat(findings.count(Violation.UNCOVERED)).isEqualTo(1);
  }

  @Test
  void an_arrival_of_a_partition_without_a_checkpoint_is_uncovered() {
    journal.add(Position.of(2, 9), 500, 510);
    watch(checkpoint("10:501:0")).look();
    assertThat(findings.count(Violation.UNCOVERED)).isEqualTo(1);
  }

  @Test
  void nothing_is_said_and_nothing_is_forgotten_while_kafka_does_not_tell() {
    journal.add(Position.of(1, 10), 500, 510);
    FrontierWatch watch = watch(Optional.empty());
    watch.look();
    assertThat(findings.lines()).isEmpty();
    assertThat(watch.looks()).isZero();
  }

  @Test
  void the_journal_grows_and_keeps_what_it_has() {
    for (int i = 0; i < 10_000; i++) {
      journal.add(i, 2L * i, 3L * i);
    }
    assertThat(journal.size()).isEqualTo(10_000);
    assertThat(journal.position(9_999)).isEqualTo(9_999);
    assertThat(journal.due(5_000)).isEqualTo(10_000);
    assertThat(journal.at(4_097)).isEqualTo(12_291);
  }
}
