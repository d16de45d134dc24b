package io.delaybridge.peers;

import java.util.List;

/** A process, as it knows itself. Safe for use by threads other than those that it describes. */
public interface Self {

  /** Returns true if Kafka has answered one of its consumers lately. */
  boolean isWell();

  /** Returns the {@code group.instance.id} of each of its consumers. */
  List<String> members();

  /** Returns the transactional ids under which it may have open transactions. */
  List<String> transactionalIds();
}
