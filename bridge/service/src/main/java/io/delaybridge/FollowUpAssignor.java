package io.delaybridge;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
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
 * <p>A member that is about to leave says so when it rejoins, and gets nothing. It has its
 * partitions until then. If it just left, nobody would have them until all others have learned of
 * it with their heartbeats.
 *
 * <p>A member without this class ignores what the leader says, and a leader without it says
 * nothing, and gives to those who leave as to others. Then the heartbeat tells, as before.
 */
public final class FollowUpAssignor extends CooperativeStickyAssignor implements Configurable {

  /** The key of what is run on the thread of the consumer when another division follows. */
  static final String REJOIN = "delay.bridge.rejoin";

  /** The key of what tells whether this member is about to leave the group. */
  static final String LEAVES = "delay.bridge.leaves";

  private static final byte FOLLOWS = 1;

  /**
   * No topic can have this name. Kafka's assignor leaves to a member without topics what it owns.
   */
  private static final List<String> NO_TOPIC = List.of(".");

  private Runnable rejoin = () -> {};
  private BooleanSupplier leaves = () -> false;

  @Override
  public void configure(Map<String, ?> configs) {
    if (configs.get(REJOIN) instanceof Runnable given) {
      rejoin = given;
    }
    if (configs.get(LEAVES) instanceof BooleanSupplier given) {
      leaves = given;
    }
  }

  /** What Kafka's assignor has there, and one byte more from a member that is about to leave. */
  @Override
  public ByteBuffer subscriptionUserData(Set<String> topics) {
    ByteBuffer known = super.subscriptionUserData(topics);
    return leaves.getAsBoolean()
        ? ByteBuffer.allocate(known.remaining() + 1).put(known).rewind()
        : known;
  }

  @Override
  public GroupAssignment assign(Cluster metadata, GroupSubscription all) {
    GroupSubscription group = withoutTopicsOfWhoLeaves(all);
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

  private GroupSubscription withoutTopicsOfWhoLeaves(GroupSubscription group) {
    int usual = super.subscriptionUserData(Set.of()).remaining();
    Map<String, Subscription> members = new HashMap<>(group.groupSubscription());
    members.replaceAll(
        (member, its) ->
            its.userData() != null && its.userData().remaining() > usual ? wantsNothing(its) : its);
    return new GroupSubscription(members);
  }

  /** The same member, which still has what it owns. */
  private static Subscription wantsNothing(Subscription member) {
    Subscription leaving =
        new Subscription(
            NO_TOPIC,
            member.userData(),
            member.ownedPartitions(),
            generation(member),
            member.rackId());
    leaving.setGroupInstanceId(member.groupInstanceId());
    return leaving;
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
