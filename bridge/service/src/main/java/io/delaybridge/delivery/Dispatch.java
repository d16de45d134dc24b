package io.delaybridge.delivery;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayTopics;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Turns due messages into outgoing records and learns from their outcome. Belongs to one loop. */
public final class Dispatch {

  private static final String NO_COPIES = "the intake takes no copies";

  private final Function<String, Router> routers;
  private final Records records;
  private final TargetCatalog catalog;
  private final CircuitBreaker breaker;
  private final Tracing tracing;

  /**
   * Takes the parts.
   *
   * @param routers returns the router of an intake; all routers use this catalogue and this breaker
   */
  public Dispatch(
      Function<String, Router> routers,
      Records records,
      TargetCatalog catalog,
      CircuitBreaker breaker,
      Tracing tracing) {
    this.routers = routers;
    this.records = records;
    this.catalog = catalog;
    this.breaker = breaker;
    this.tracing = tracing;
  }

  /** Refreshes what the catalogue knows about the targets of these messages. */
  public void prepare(Map<ShardId, List<DelayedMessage>> due) throws KafkaNotReadyException {
    catalog.refresh(topics(due));
  }

  private Set<String> topics(Map<ShardId, List<DelayedMessage>> due) {
    Set<String> topics = new HashSet<>();
    due.forEach(
        (shard, messages) -> {
          Router router = routers.apply(shard.topic());
          for (DelayedMessage message : messages) {
            String target =
                message.isFar() ? DelayTopics.laterOf(shard.topic()) : router.lookup(message);
            if (target != null) {
              topics.add(target);
              expect(target, message);
            }
          }
          if (!messages.isEmpty()) {
            topics.add(records.deadLetterTopic());
          }
        });
    return topics;
  }

  private void expect(String target, DelayedMessage message) {
    Integer partition = message.targetPartition();
    if (partition != null) {
      catalog.expect(target, partition);
    }
  }

  /**
   * Decides what happens to the message.
   *
   * @param refusal how Kafka refused the record that an earlier turn made from the message, or null
   * @param now epoch milliseconds
   */
  public Decision decide(
      ShardId shard, DelayedMessage message, @Nullable Refusal refusal, long now) {
    Decision decision = routers.apply(shard.topic()).decide(message, refusal, now);
    boolean goesOut = breaker.isOpen(shard.topic()) && !(decision instanceof Decision.Dead);
    return goesOut && message.repeats() ? new Decision.Hold(NO_COPIES) : orHold(shard, decision);
  }

  /** Returns the decision, or a hold if the topic that it needs accepts no records for now. */
  public Decision orHold(ShardId shard, Decision decision) {
    if (decision instanceof Decision.Dead) {
      return orHold(decision, "dead-letter", records.deadLetterTopic());
    }
    if (decision instanceof Decision.Later) {
      return orHold(decision, "later", DelayTopics.laterOf(shard.topic()));
    }
    return decision.goesBack() && breaker.isOpen(shard.topic())
        ? new Decision.Hold(NO_COPIES)
        : decision;
  }

  private Decision orHold(Decision decision, String kind, String topic) {
    Target state = catalog.get(topic);
    if (state instanceof Target.Available && !breaker.isOpen(topic)) {
      return decision;
    }
    String why = state instanceof Target.Unavailable it ? ": " + it.why() : "";
    return new Decision.Hold("the %s topic '%s' is not available%s".formatted(kind, topic, why));
  }

  /**
   * Refreshes what the catalogue knows about the topics that copies may need, besides the intake.
   *
   * @param refusal how Kafka refused the record that was made from the copies before, or null
   */
  public void prepareLap(ShardId shard, List<DelayedMessage> copies, @Nullable Refusal refusal)
      throws KafkaNotReadyException {
    Set<String> topics =
        topics(Map.of(shard, copies.stream().filter(copy -> !isOnItsWay(copy, refusal)).toList()));
    topics.add(DelayTopics.laterOf(shard.topic()));
    catalog.refresh(topics);
  }

  private static boolean isOnItsWay(DelayedMessage copy, @Nullable Refusal refusal) {
    return refusal == null && !copy.isMalformed();
  }

  /**
   * Decides what happens to a copy that is a lap old and whose message is still alive.
   *
   * @param refusal how Kafka refused the record that was made from the copy before, or null
   * @param now epoch milliseconds
   */
  public Decision lap(ShardId shard, DelayedMessage message, @Nullable Refusal refusal, long now) {
    Router router = routers.apply(shard.topic());
    return isOnItsWay(message, refusal)
        ? router.lap(message.key().time(), now)
        : router.decide(message, refusal, now);
  }

  /**
   * Builds the records for a message that is neither held nor only answered.
   *
   * @param now epoch milliseconds at which the wait of the message ends
   */
  public Outgoing outgoing(ShardId shard, DelayedMessage message, Decision decision, long now) {
    return waited(records.outgoing(shard, message, decision, now), now);
  }

  /** As {@link #outgoing}, for a copy in the later topic. */
  public Outgoing ofLap(ShardId shard, DelayedMessage copy, Decision decision, long now) {
    return waited(records.ofLap(shard, copy, decision, now), now);
  }

  private Outgoing waited(Outgoing outgoing, long now) {
    tracing.waited(outgoing, now);
    return outgoing;
  }

  /**
   * Whether the message is too large for its topic, as far as is known before the topic refuses it.
   *
   * @param bytes size of the message
   */
  public boolean isTooLarge(Decision decision, int bytes) {
    if (decision instanceof Decision.Deliver deliver) {
      return isTooLarge(deliver.target(), bytes);
    }
    return decision instanceof Decision.Dead dead
        && dead.whole()
        && isTooLarge(records.deadLetterTopic(), bytes);
  }

  private boolean isTooLarge(String topic, int bytes) {
    return catalog.get(topic) instanceof Target.Available state && bytes > state.maxBytes();
  }

  /** Learns that the records of a message reached their topics. */
  public void succeeded(Outgoing outgoing) {
    outgoing.records().forEach(record -> breaker.succeeded(record.topic()));
  }

  /**
   * Learns that a record for the topic did not go out, because a time-out hit another one of the
   * turn. The topic may be gone as well, so Kafka describes it before the next turn.
   */
  public void notSent(String topic) {
    catalog.invalidate(topic);
  }

  /**
   * Learns that a record of a message was refused.
   *
   * @param topic that the record was for
   * @param othersWentThrough whether other records of the same turn were accepted, so that Kafka is
   *     not down as a whole
   * @return what the next turn must know about this message, or null if the message is to be tried
   *     again unchanged
   */
  public @Nullable Refusal refused(
      Outgoing outgoing, String topic, Exception cause, boolean othersWentThrough) {
    catalog.invalidate(topic);
    if (cause instanceof TimeoutException) {
      breaker.timedOut(topic, othersWentThrough);
      return null;
    }
    return Refusal.of(outgoing.decision(), cause);
  }
}
