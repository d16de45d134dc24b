package io.delaybridge.bench.faults;

import io.delaybridge.bench.faults.Nature.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** The leftovers in Redis and Kafka that must not exist after everything was delivered. */
final class Leftovers {

  private final Servers servers;
  private final Admin admin;
  private final Ledger ledger;
  private final Collection<TopicPartition> topics;
  private final boolean checksDecoys;

  /**
   * @param topics every partition of the intake, the targets and the dead letters
   * @param checksDecoys false if a checkpoint was lost: the checkpoint then covers every record
   *     that Redis does not have, including replaced and cancelled ones, whatever its due time
   */
  Leftovers(
      Servers servers,
      Admin admin,
      Ledger ledger,
      Collection<TopicPartition> topics,
      boolean checksDecoys) {
    this.checksDecoys = checksDecoys;
    this.servers = servers;
    this.admin = admin;
    this.ledger = ledger;
    this.topics = List.copyOf(topics);
  }

  /** Returns a description of each leftover; empty if there is none. */
  List<String> list() {
    try {
      List<String> left = new ArrayList<>(redis());
      left.addAll(transactions());
      left.addAll(openEnds());
      left.addAll(uncovered());
      return left;
    } catch (ExecutionException e) {
      return List.of("Kafka does not tell: " + e.getCause());
    } catch (InterruptedException e) {
      throw FaultsException.interrupted("what is left over", e);
    }
  }

  private List<String> redis() {
    List<String> left = new ArrayList<>();
    for (TopicPartition partition : topics) {
      if (partition.topic().equals(BridgeConfig.INTAKE)) {
        String key =
            "{%s:%s:%d}:pending"
                .formatted(BridgeConfig.PREFIX, partition.topic(), partition.partition());
        if (!Long.valueOf(0).equals(servers.redis("ZCARD", key))) {
          left.add("messages in Redis under " + key);
        }
      }
    }
    return left;
  }

  private List<String> transactions() throws ExecutionException, InterruptedException {
    return admin.listTransactions().all().get().stream()
        .filter(
            each ->
                each.state() != TransactionState.EMPTY
                    && each.state() != TransactionState.COMPLETE_COMMIT
                    && each.state() != TransactionState.COMPLETE_ABORT)
        .map(Leftovers::text)
        .toList();
  }

  private static String text(TransactionListing each) {
    return "transaction %s is %s".formatted(each.transactionalId(), each.state());
  }

  private List<String> openEnds() throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> stable = ends(IsolationLevel.READ_COMMITTED);
    Map<TopicPartition, Long> all = ends(IsolationLevel.READ_UNCOMMITTED);
    return all.entrySet().stream()
        .filter(end -> !end.getValue().equals(stable.get(end.getKey())))
        .map(
            end ->
                "%s can be read up to %d of %d"
                    .formatted(end.getKey(), stable.get(end.getKey()), end.getValue()))
        .toList();
  }

  private Map<TopicPartition, Long> ends(IsolationLevel isolation)
      throws ExecutionException, InterruptedException {
    return admin
        .listOffsets(
            topics.stream().collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest())),
            new ListOffsetsOptions(isolation))
        .all()
        .get()
        .entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
  }

  /**
   * Returns the messages that no checkpoint covers, and the replaced or cancelled records that a
   * checkpoint covers although they were never due.
   */
  private List<String> uncovered() {
    int partitions =
        (int) topics.stream().filter(each -> each.topic().equals(BridgeConfig.INTAKE)).count();
    Optional<Checkpoints> committed = Checkpoints.fetch(admin, partitions);
    if (committed.isEmpty()) {
      return List.of("the checkpoints cannot be read");
    }
    List<String> left = new ArrayList<>();
    for (int number = 0; number < ledger.size() && left.size() < 20; number++) {
      boolean cancel = ledger.nature(number).kind() == Kind.CANCELLED;
      long source = ledger.source(number);
      if (!cancel && !committed.get().cover(source, ledger.due(number))) {
        left.add("no checkpoint covers message %d of %s".formatted(number, Position.text(source)));
      }
      long decoy = ledger.decoy(number);
      if (checksDecoys
          && decoy != Position.NONE
          && committed.get().cover(decoy, ledger.decoyDue(number))) {
        left.add("a checkpoint covers %s, which was never due".formatted(Position.text(decoy)));
      }
    }
    return left;
  }
}
