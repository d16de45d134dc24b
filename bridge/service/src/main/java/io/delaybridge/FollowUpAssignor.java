package io.delaybridge;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;

/**
 * Divides the partitions as {@link CooperativeStickyAssignor} does, under its name. If a partition
 * moves, the group divides twice: first the owner gives it up, and then the new owner gets it.
 * Nobody has it in between, and members learn of the second division with their heartbeats. So the
 * leader of the group says with the first assignment that another one follows, and each member
 * rejoins at once, except after a division that an owner has missed. Kafka Streams tells its
 * members of follow-up rebalances in the same way.
 *
 * <p>A member without this class ignores what the leader says, and a leader without it says
 * nothing. Then the heartbeat tells, as before.
 */
public final class FollowUpAssignor extends CooperativeStickyAssignor implements Configurable {

  /** The key of what is run on the thread of the consumer when another division follows. */
  static final String REJOIN = "delay.bridge.rejoin";

  private static final byte FOLLOWS = 1;

  private Runnable rejoin = () -> {};

  @Override
  public void configure(Map<String, ?> configs) {
    if (configs.get(REJOIN) instanceof Runnable given) {
      rejoin = given;
    }
  }

  @Override
  public GroupAssignment assign(Cluster metadata, GroupSubscription group) {
    GroupAssignment divided = super.assign(metadata, group);
    if (!isIncomplete(metadata, group, divided) || hasMissedOne(group)) {
      return divided;
    }
    Map<String, Assignment> told = new HashMap<>();
    divided
        .groupAssignment()
        .forEach(
            (member, of) ->
                told.put(
                    member,
                    new Assignment(of.partitions(), ByteBuffer.wrap(new byte[] {FOLLOWS}))));
    return new GroupAssignment(told);
  }

  /**
   * Returns whether a member that owns partitions has not read the last assignment: it was busy
   * until the others had rejoined. If they rejoined at once again, it might never read one.
   */
  private static boolean hasMissedOne(GroupSubscription group) {
    Collection<Subscription> members = group.groupSubscription().values();
    int last = members.stream().mapToInt(FollowUpAssignor::generation).max().orElse(-1);
    return members.stream()
        .anyMatch(each -> !each.ownedPartitions().isEmpty() && generation(each) < last);
  }

  /** The generation of the last assignment that the member has read, -1 if it has read none. */
  private static int generation(Subscription member) {
    return member.generationId().orElse(-1);
  }

  /** Returns whether a partition has no owner, which is so only while it moves. */
  private static boolean isIncomplete(
      Cluster metadata, GroupSubscription group, GroupAssignment divided) {
    Set<String> topics = new HashSet<>();
    group.groupSubscription().values().forEach(each -> topics.addAll(each.topics()));
    int partitions =
        topics.stream()
            .map(metadata::partitionCountForTopic)
            .mapToInt(n -> n == null ? 0 : n)
            .sum();
    int owned =
        divided.groupAssignment().values().stream().mapToInt(of -> of.partitions().size()).sum();
    return owned < partitions;
  }

  @Override
  public void onAssignment(Assignment assignment, ConsumerGroupMetadata metadata) {
    super.onAssignment(assignment, metadata);
    ByteBuffer told = assignment.userData();
    if (told != null && told.hasRemaining() && told.get(told.position()) == FOLLOWS) {
      rejoin.run();
    }
  }
}
