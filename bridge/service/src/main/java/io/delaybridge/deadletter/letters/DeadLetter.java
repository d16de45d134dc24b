package io.delaybridge.deadletter.letters;

import io.delaybridge.message.Source;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter in the index: everything but its content.
 *
 * @param source the intake record that asked for the delivery
 * @param position where on the dead-letter topic it is
 * @param target where it was to go, or null if it named none
 * @param id the name that its producer gave it, or null
 * @param reason the name of a {@link io.delaybridge.schemas.Reason}, perhaps of a later release
 * @param detail one sentence for a human, cut to a bounded length
 * @param at when it died, epoch milliseconds
 * @param attempt the attempt that failed, from 1
 * @param replays how often it was replayed before it died this time
 * @param bytes of key and value on the dead-letter topic
 * @param content where key, value and headers are, if they are not on the dead-letter topic
 */
public record DeadLetter(
    Source source,
    Source position,
    @Nullable String target,
    @Nullable String id,
    String reason,
    String detail,
    long at,
    int attempt,
    int replays,
    int bytes,
    @Nullable Source content) {

  private static final int LARGE = 1 << 20;

  /**
   * Returns about how many bytes a replay has to hold. Content elsewhere was too large for the
   * dead-letter topic.
   */
  public int contentBytes() {
    return content == null ? bytes : LARGE;
  }
}
