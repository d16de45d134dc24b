package io.delaybridge.bench.faults;

import io.delaybridge.message.RetryMark;
import io.delaybridge.schemas.DelayHeaders;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The check of the whole intake at the end of a run. Each record must be one that the load has
 * sent, or a settled copy that the bridge wrote for another attempt.
 */
final class IntakeAudit {

  private final String bootstrapServers;
  private final List<BitSet> known = new ArrayList<>();
  private final Findings findings;

  IntakeAudit(String bootstrapServers, Ledger ledger, int partitions, Findings findings) {
    this.bootstrapServers = bootstrapServers;
    this.findings = findings;
    IntStream.range(0, partitions).forEach(partition -> known.add(new BitSet()));
    for (int number = 0; number < ledger.size(); number++) {
      know(ledger.source(number));
      know(ledger.decoy(number));
    }
  }

  private void know(long position) {
    if (position != Position.NONE) {
      known.get(Position.partition(position)).set((int) Position.offset(position));
    }
  }

  /** Checks the intake up to its current end. */
  void run(Optional<Checkpoints> checkpoints) {
    Intake.read(bootstrapServers, known.size(), record -> check(record, checkpoints));
    for (int partition = 0; partition < known.size(); partition++) {
      int missing = known.get(partition).cardinality();
      if (missing > 0) {
        findings.add(
            Violation.STRANGE,
            "%d records of partition %d were acknowledged and are not in the intake"
                .formatted(missing, partition));
      }
    }
  }

  private void check(ConsumerRecord<byte[], byte[]> record, Optional<Checkpoints> checkpoints) {
    if (known.get(record.partition()).get((int) record.offset())) {
      known.get(record.partition()).clear((int) record.offset());
      return;
    }
    long position = Position.of(record.partition(), record.offset());
    Optional<RetryMark> mark = RetryMark.parse(Judge.text(record, DelayHeaders.RETRY));
    if (mark.isEmpty()) {
      findings.add(Violation.STRANGE, Position.text(position) + " of the intake is from nobody");
    } else if (checkpoints.isPresent() && !checkpoints.get().cover(position, mark.get().due())) {
      findings.add(Violation.UNCOVERED, "no checkpoint covers the copy " + Position.text(position));
    }
  }
}
