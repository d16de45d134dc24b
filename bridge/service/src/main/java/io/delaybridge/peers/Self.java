package io.delaybridge.peers;

import java.util.List;

/** What a process knows of itself. Safe for use by another thread than those it is about. */
public interface Self {

  /** True if Kafka has answered one of its consumers lately. */
  boolean isWell();

  /** {@code group.instance.id} of each of its consumers. */
  List<String> members();

  /** Under which it may have something open. */
  List<String> transactionalIds();
}
