package io.delaybridge.bench.faults;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Another check of the data that a run has left, in case the first check was wrong. It starts the
 * servers on the directory of the run and asks {@link Leftovers} once more. Nothing else in the
 * result changes.
 */
final class Recheck {

  private Recheck() {}

  /**
   * Returns the result of a run after another check.
   *
   * @param row row of the run, not scaled
   * @param dir directory of the run
   */
  static <S extends Servers> Outcome of(Outcome before, Row<S> row, Path dir) {
    int partitions = row.shape().partitions();
    List<TopicPartition> topics = new ArrayList<>(World.outputs());
    topics.addAll(Intake.partitions(partitions));
    try (S servers = row.topology().apply(dir);
        Admin admin =
            Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers.kafka()))) {
      Ledger ledger = row.ledger(before.seed(), before.messages());
      Intake.read(servers.kafka(), partitions, record -> enter(record, ledger));
      boolean decoys = !row.has(Trait.CHECKPOINTS_LOST);
      return with(before, new Leftovers(servers, admin, ledger, topics, decoys).list());
    }
  }

  private static void enter(ConsumerRecord<byte[], byte[]> record, Ledger ledger) {
    if (record.headers().lastHeader(DelayHeaders.RETRY) != null) {
      return;
    }
    Payload payload = Payload.decode(record.value()).orElseThrow();
    if (!Arrays.equals(record.key(), Nature.key(ledger.seed(), payload.number()))) {
      throw new FaultsException("the directory is of a run with another seed");
    }
    ledger.sent(
        payload.number(), payload.decoy(), Position.of(record.partition(), record.offset()));
    if (!payload.decoy()) {
      ledger.due(payload.number(), payload.due());
    }
  }

  private static Outcome with(Outcome before, List<String> left) {
    Findings findings = new Findings();
    left.forEach(what -> findings.add(Violation.LEFT_OVER, what));
    Map<Violation, Long> violations = new EnumMap<>(before.violations());
    violations.put(Violation.LEFT_OVER, (long) left.size());
    List<String> lines =
        new ArrayList<>(
            before.findings().stream()
                .filter(line -> !line.startsWith(Violation.LEFT_OVER + ":"))
                .toList());
    lines.addAll(findings.lines());
    return new Outcome(
        before.row(),
        before.fault(),
        before.guarantee(),
        before.messages(),
        before.injections(),
        before.kinds(),
        before.repeatsAllowed(),
        violations,
        before.frontierLooks(),
        before.longestStallMs(),
        before.seed(),
        before.seconds(),
        before.provenance(),
        !Findings.isBroken(violations, before.repeatsAllowed()),
        lines);
  }
}
