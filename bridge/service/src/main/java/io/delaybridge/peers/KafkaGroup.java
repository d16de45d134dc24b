package io.delaybridge.peers;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FenceProducersOptions;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupResult;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;

/** A Kafka consumer group of static members. Safe for use by many threads. */
public final class KafkaGroup implements Group {

  private static final int TIMEOUT_MS = 5_000;

  /**
   * The time-out of a fence. While a fence is retried, a process that is alive after all may have
   * begun anew, and is fenced again.
   */
  private static final int FENCE_TIMEOUT_MS = 1_000;

  private final Admin admin;
  private final String groupId;

  /**
   * @param admin the caller closes it
   */
  public KafkaGroup(Admin admin, String groupId) {
    this.admin = admin;
    this.groupId = groupId;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Each id has a call of its own. In one call for all of them, Kafka's client asks a broker
   * about one id after the other, and waits whenever one of them had something open: 0.4 s for
   * each.
   */
  @Override
  public CompletionStage<Void> fence(List<String> transactionalIds) {
    return CompletableFuture.allOf(
        transactionalIds.stream().map(this::fence).toArray(CompletableFuture<?>[]::new));
  }

  private CompletableFuture<Void> fence(String transactionalId) {
    return admin
        .fenceProducers(
            List.of(transactionalId), new FenceProducersOptions().timeoutMs(FENCE_TIMEOUT_MS))
        .all()
        .toCompletionStage()
        .toCompletableFuture();
  }

  @Override
  public CompletionStage<Void> remove(List<String> members) {
    if (members.isEmpty()) {
      // Kafka would take an empty list to mean all members.
      return CompletableFuture.completedStage(null);
    }
    Set<MemberToRemove> those =
        members.stream().map(MemberToRemove::new).collect(Collectors.toUnmodifiableSet());
    RemoveMembersFromConsumerGroupOptions options =
        new RemoveMembersFromConsumerGroupOptions(those);
    options.reason("it has given no sign of life");
    options.timeoutMs(TIMEOUT_MS);
    RemoveMembersFromConsumerGroupResult result =
        admin.removeMembersFromConsumerGroup(groupId, options);
    return CompletableFuture.allOf(
        those.stream()
            .map(each -> result.memberResult(each).toCompletionStage())
            .map(each -> each.exceptionally(KafkaGroup::unlessUnknown).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new));
  }

  private static @Nullable Void unlessUnknown(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof UnknownMemberIdException) {
      return null;
    }
    throw failure instanceof CompletionException known ? known : new CompletionException(failure);
  }
}
