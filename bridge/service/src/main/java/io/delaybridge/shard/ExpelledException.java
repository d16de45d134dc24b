package io.delaybridge.shard;

/** The group has taken all shards from a loop that had none of them open. */
final class ExpelledException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ExpelledException() {
    // Kafka's client logs it with its stack, which says nothing.
    super("taken out of the group while none of its shards was open", null, false, false);
  }
}
