package io.delaybridge.peers;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** The actions of one process against another one in Kafka. The methods do not wait. */
public interface Group {

  /**
   * Aborts open transactions of these transactional ids, and fences the producers that have them.
   */
  CompletionStage<Void> fence(List<String> transactionalIds);

  /**
   * Removes members from the group, which divides their partitions at once. It is no failure if a
   * member is already gone.
   *
   * @param members their {@code group.instance.id}
   */
  CompletionStage<Void> remove(List<String> members);
}
