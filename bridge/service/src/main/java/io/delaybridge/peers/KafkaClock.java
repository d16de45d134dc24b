package io.delaybridge.peers;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeMetadataQuorumOptions;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Kafka what time it is. No request is for that, but the description of the quorum has it: the
 * leading controller gives the time of its answer as that of its own last fetch (KIP-836).
 */
public final class KafkaClock implements Supplier<CompletionStage<OptionalLong>> {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaClock.class);
  private static final CompletionStage<OptionalLong> UNKNOWN =
      CompletableFuture.completedFuture(OptionalLong.empty());

  private final Admin admin;
  private final int timeoutMs;
  private volatile boolean refused;

  /** Takes a client, which the caller closes. */
  public KafkaClock(Admin admin, int timeoutMs) {
    this.admin = admin;
    this.timeoutMs = timeoutMs;
  }

  /** Returns epoch milliseconds; empty from the time that Kafka has refused to describe it. */
  @Override
  public CompletionStage<OptionalLong> get() {
    if (refused) {
      return UNKNOWN;
    }
    return admin
        .describeMetadataQuorum(new DescribeMetadataQuorumOptions().timeoutMs(timeoutMs))
        .quorumInfo()
        .toCompletionStage()
        .thenApply(KafkaClock::time)
        .exceptionally(this::unknown);
  }

  private static OptionalLong time(QuorumInfo quorum) {
    return quorum.voters().stream()
        .filter(voter -> voter.replicaId() == quorum.leaderId())
        .map(QuorumInfo.ReplicaState::lastFetchTimestamp)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  private OptionalLong unknown(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof ApiException && !(cause instanceof RetriableException)) {
      // Not again: a broker logs each request that it denies.
      refused = true;
      LOG.info("The clock of this bridge is not compared with Kafka's: {}", cause.getMessage());
    } else {
      LOG.debug("Kafka does not tell its time", cause);
    }
    return OptionalLong.empty();
  }
}
