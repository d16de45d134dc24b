package io.delaybridge.shard;

import org.apache.kafka.common.errors.WakeupException;

/**
 * Ends a poll in which the group has taken the last shard of a loop that is to stop. Else the poll
 * would join the group again, and when the loop leaves then, the others divide once more.
 *
 * <p>Kafka's consumer passes a {@link WakeupException} of a callback on. It logs any other as an
 * error, with its stack trace.
 */
final class HandedOverException extends WakeupException {

  private static final long serialVersionUID = 1;

  @Override
  public String getMessage() {
    return "others get the shards of this loop";
  }
}
