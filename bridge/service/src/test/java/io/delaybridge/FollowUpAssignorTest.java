package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FollowUpAssignorTest {

  private static final String TOPIC = "intake";
  private static final int PARTITIONS = 6;

  private final List<Duration> rejoins = new ArrayList<>();
  private final FollowUpAssignor assignor = new FollowUpAssignor();

  FollowUpAssignorTest() {
    FollowUpAssignor.Rejoin rejoin = rejoins::add;
    assignor.configure(Map.of(FollowUpAssignor.REJOIN, rejoin));
  }

  @Test
  void everyMemberRejoinsWhileAPartitionMoves() {
    Map<String, Assignment> first =
        divide(Map.of("a", partitions(0, 3), "b", partitions(3, 6), "c", List.of()));

    assertThat(owned(first)).isLessThan(PARTITIONS);
    first.values().forEach(this::assigned);
    assertThat(rejoins).hasSize(3).containsOnly(Duration.ZERO);

    Map<String, List<TopicPartition>> next = new LinkedHashMap<>();
    first.forEach((member, of) -> next.put(member, of.partitions()));
    Map<String, Assignment> second = divide(next);
    assertThat(owned(second)).isEqualTo(PARTITIONS);
    second.values().forEach(this::assigned);
    assertThat(rejoins).hasSize(3).containsOnly(Duration.ZERO);
  }

  @Test
  void nobodyRejoinsWhenEveryPartitionHasItsOwner() {
    divide(Map.of("a", partitions(0, 3), "b", List.of())).values().forEach(this::assigned);
    assertThat(rejoins).isEmpty();
  }

  /** It has taken part in the last division, and is told again which partitions to give up. */
  @Test
  void everyMemberWaitsBeforeItRejoinsWhileAnOwnerHasNotReadTheLastDivision() {
    Map<String, Subscription> group = new LinkedHashMap<>();
    group.put("busy", subscription(partitions(0, 6), 7, 6));
    group.put("new", subscription(List.of(), 7, 7));

    Map<String, Assignment> divided = divide(group, PARTITIONS);

    assertThat(owned(divided)).isLessThan(PARTITIONS);
    divided.values().forEach(this::assigned);
    assertThat(rejoins).hasSize(2).containsOnly(FollowUpAssignor.PAUSE);
  }

  @Test
  void thePauseDoublesWhileAnOwnerMissesDivisions() {
    Map<String, Subscription> missed = new LinkedHashMap<>();
    missed.put("busy", subscription(partitions(0, 6), 7, 6));
    missed.put("new", subscription(List.of(), 7, 7));
    for (int i = 0; i < 5; i++) {
      assigned(Objects.requireNonNull(divide(missed, PARTITIONS).get("new")));
    }
    assertThat(rejoins)
        .extracting(Duration::toMillis)
        .containsExactly(100L, 200L, 400L, 800L, 800L);

    divide(Map.of("busy", partitions(0, 3), "new", partitions(3, 6)));
    assigned(Objects.requireNonNull(divide(missed, PARTITIONS).get("new")));
    assertThat(rejoins).last().isEqualTo(FollowUpAssignor.PAUSE);
  }

  @Test
  void nobodyWaitsForOneThatHasReadNothingYetAndOwnsNothing() {
    Map<String, Subscription> group = new LinkedHashMap<>();
    group.put("owner", subscription(partitions(0, 6), 7, 7));
    group.put("new", subscription(List.of(), 7, -1));

    divide(group, PARTITIONS).values().forEach(this::assigned);
    assertThat(rejoins).hasSize(2).containsOnly(Duration.ZERO);
  }

  @Test
  void whoLeavesHandsOverInTwoDivisions() {
    Map<String, Subscription> group = oneLeaves();

    Map<String, Assignment> first = divide(group, PARTITIONS);
    assertThat(of(first, "leaves")).isEmpty();
    assertThat(of(first, "stays")).containsExactlyElementsOf(partitions(3, 6));
    first.values().forEach(this::assigned);
    assertThat(rejoins).hasSize(2).containsOnly(Duration.ZERO);

    group.put("leaves", leaving(List.of()));
    Map<String, Assignment> second = divide(group, PARTITIONS);
    assertThat(of(second, "leaves")).isEmpty();
    assertThat(of(second, "stays")).containsExactlyInAnyOrderElementsOf(partitions(0, 6));
    second.values().forEach(this::assigned);
    assertThat(rejoins).hasSize(2).containsOnly(Duration.ZERO);
  }

  @Test
  void nobodyGetsAnythingWhenAllLeave() {
    Map<String, Subscription> group = new LinkedHashMap<>();
    group.put("a", leaving(partitions(0, 3)));
    group.put("b", leaving(partitions(3, 6)));

    Map<String, Assignment> divided = divide(group, PARTITIONS);

    assertThat(owned(divided)).isEqualTo(0);
    divided.values().forEach(this::assigned);
    assertThat(rejoins).isEmpty();
  }

  @Test
  void whoLeavesIsAnOrdinaryMemberForTheAssignorOfKafka() {
    Map<String, Subscription> group = oneLeaves();

    Map<String, Assignment> divided =
        new CooperativeStickyAssignor()
            .assign(cluster(PARTITIONS), new GroupSubscription(group))
            .groupAssignment();
    assertThat(of(divided, "leaves")).containsExactlyElementsOf(partitions(0, 3));
  }

  private static Map<String, Subscription> oneLeaves() {
    Map<String, Subscription> group = new LinkedHashMap<>();
    group.put("leaves", leaving(partitions(0, 3)));
    group.put("stays", subscription(partitions(3, 6), 7, 7));
    return group;
  }

  private static Subscription leaving(List<TopicPartition> owned) {
    FollowUpAssignor member = new FollowUpAssignor();
    BooleanSupplier leaves = () -> true;
    member.configure(Map.of(FollowUpAssignor.LEAVES, leaves));
    return subscription(member, owned, 7, 7);
  }

  @Test
  void whatAnotherLeaderSaysIsIgnored() {
    for (ByteBuffer said :
        new ByteBuffer[] {null, ByteBuffer.allocate(0), ByteBuffer.allocate(3)}) {
      assigned(new Assignment(partitions(0, 2), said));
    }
    assertThat(rejoins).isEmpty();
  }

  private Map<String, Assignment> divide(Map<String, List<TopicPartition>> owned) {
    Map<String, Subscription> group = new LinkedHashMap<>();
    owned.forEach((member, has) -> group.put(member, subscription(has, 7, 7)));
    return divide(group, PARTITIONS);
  }

  private static Subscription subscription(List<TopicPartition> owned, int generation, int read) {
    return subscription(new FollowUpAssignor(), owned, generation, read);
  }

  /**
   * @param generation in which it took part
   * @param read the last one whose assignment it has read
   */
  @SuppressWarnings("removal") // There is no other way to make metadata with a generation.
  private static Subscription subscription(
      FollowUpAssignor member, List<TopicPartition> owned, int generation, int read) {
    member.onAssignment(
        new Assignment(owned), new ConsumerGroupMetadata("g", read, "m", Optional.empty()));
    ByteBuffer known = member.subscriptionUserData(Set.of(TOPIC));
    return new Subscription(List.of(TOPIC), known, owned, generation, Optional.empty());
  }

  private Map<String, Assignment> divide(Map<String, Subscription> group, int count) {
    return assignor.assign(cluster(count), new GroupSubscription(group)).groupAssignment();
  }

  private static Cluster cluster(int count) {
    Node node = new Node(0, "127.0.0.1", 9092);
    List<PartitionInfo> all = new ArrayList<>();
    partitions(0, count)
        .forEach(each -> all.add(new PartitionInfo(TOPIC, each.partition(), node, null, null)));
    return new Cluster("c", List.of(node), all, Set.of(), Set.of());
  }

  private void assigned(Assignment assignment) {
    assignor.onAssignment(assignment, new MockConsumer<>("none").groupMetadata());
  }

  private static List<TopicPartition> of(Map<String, Assignment> divided, String member) {
    return Objects.requireNonNull(divided.get(member)).partitions();
  }

  private static int owned(Map<String, Assignment> divided) {
    return divided.values().stream().mapToInt(of -> of.partitions().size()).sum();
  }

  private static List<TopicPartition> partitions(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> new TopicPartition(TOPIC, i)).toList();
  }
}
