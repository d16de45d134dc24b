package io.delaybridge;

import java.nio.ByteBuffer;
import java.time.Duration;
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
 * rejoins at once. Kafka Streams tells its members of follow-up rebalances in the same way.
 *
 * <p>An owner that is busy until the others have rejoined misses the division, and has to be told
 * anew to give its partition up. Then the others rejoin after a pause, so that it does not miss the
 * next one as well, and after a longer one if it did. It needs three polls to read a division, and
 * between two of them it may be busy with a turn.
 *
 * <p>A member that is about to leave says so when it rejoins, and gets nothing. It has its
 * partitions until then. If it just left, nobody would have them until all others have learned of
 * it with their heartbeats.
 *
 * <p>A member without this class ignores what the leader says, and a leader without it says
 * nothing, and gives to those who leave as to others. Then the heartbeat tells, as before.
 */
public final class FollowUpAssignor extends CooperativeStickyAssignor implements Configurable {

  /** The key of the {@link Rejoin} of this member. */
  static final String REJOIN = "delay.bridge.rejoin";

  /** The key of what tells whether this member is about to leave the group. */
  static final String LEAVES = "delay.bridge.leaves";

  /** The generation of a member that has read no assignment. */
  private static final int NONE = -1;

  /** What the leader says: one more than the number of pauses until all rejoin. */
  private static final byte AT_ONCE = 1;

  /** Longer than most turns take. */
  static final Duration PAUSE = Duration.ofMillis(100);

  private static final int MOST_PAUSES = 8;

  /**
   * No topic can have this name. Kafka's assignor leaves to a member without topics what it owns.
   */
  private static final List<String> NO_TOPIC = List.of(".");

  /** Makes this member join the group again. Runs on the thread of the consumer. */
  interface Rejoin {

    /**
     * @param pause until then; zero means in the same poll
     */
    void after(Duration pause);
  }

  private Rejoin rejoin = pause -> {};
  private BooleanSupplier leaves = () -> false;

  /**
   * Of the leader: until all rejoin after the last division. Doubles while an owner misses them.
   */
  private int pauses;

  @Override
  public void configure(Map<String, ?> configs) {
    if (configs.get(REJOIN) instanceof Rejoin given) {
      rejoin = given;
    }
    if (configs.get(LEAVES) instanceof BooleanSupplier given) {
      leaves = given;
    }
  }

  /**
   * Returns the data of Kafka's assignor, with one more byte for a member that is about to leave.
   */
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
    if (!isIncomplete(metadata, group, divided)) {
      pauses = 0;
      return divided;
    }
    pauses = hasMissedOne(group) ? Math.min(Math.max(1, 2 * pauses), MOST_PAUSES) : 0;
    byte follows = (byte) (AT_ONCE + pauses);
    Map<String, Assignment> told = new HashMap<>();
    divided
        .groupAssignment()
        .forEach(
            (member, of) ->
                told.put(
                    member,
                    new Assignment(of.partitions(), ByteBuffer.wrap(new byte[] {follows}))));
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
            member.generationId().orElse(NONE),
            member.rackId());
    leaving.setGroupInstanceId(member.groupInstanceId());
    return leaving;
  }

  /**
   * Returns whether a member that owns partitions has not read the last division. The generation in
   * a subscription is no help: it is that of the last division in which the member took part.
   */
  private static boolean hasMissedOne(GroupSubscription group) {
    Collection<Subscription> members = group.groupSubscription().values();
    int last = members.stream().mapToInt(FollowUpAssignor::lastRead).max().orElse(NONE);
    return members.stream()
        .anyMatch(each -> !each.ownedPartitions().isEmpty() && lastRead(each) < last);
  }

  /**
   * The generation of the last assignment that the member has read. Kafka's assignor has it as the
   * first number of its data.
   */
  private static int lastRead(Subscription member) {
    ByteBuffer known = member.userData();
    return known != null && known.remaining() >= Integer.BYTES
        ? known.getInt(known.position())
        : NONE;
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
    if (told == null || !told.hasRemaining()) {
      return;
    }
    int wait = told.get(told.position()) - AT_ONCE;
    // Others are said by a leader of another kind.
    if (wait >= 0 && wait <= MOST_PAUSES) {
      rejoin.after(PAUSE.multipliedBy(wait));
    }
  }
}
