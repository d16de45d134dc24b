package io.delaybridge.peers;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** What one process can do about another one in Kafka. Methods do not wait. */
public interface Group {

  /** Aborts what is open under these transactional ids, and fences who has them. */
  CompletionStage<Void> fence(List<String> transactionalIds);

  /**
   * Takes members out of the group, which divides their partitions at once. That one is not there
   * any more is as good.
   *
   * @param members their {@code group.instance.id}
   */
  CompletionStage<Void> remove(List<String> members);
}
