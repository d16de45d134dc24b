package io.delaybridge.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a sequence that a {@link ModelRun} takes. Its numbers are small, so that they often
 * coincide.
 */
sealed interface ModelStep {

  /**
   * @param aside added to the position that is expected; 0 for the right one
   * @param ifRecalled whether it runs only if all far messages were recalled
   */
  record Ingest(int aside, boolean ifRecalled, List<Request> requests) implements ModelStep {}

  record Take(int now, int maxCount, int maxBytes) implements ModelStep {}

  /**
   * Settles messages of the last take, and of an earlier one.
   *
   * @param which bit n says whether the n-th is settled
   * @param keep bit n says whether its id lives on
   */
  record Settle(int seq, int which, int keep) implements ModelStep {}

  /**
   * Settles all messages below the n-th message of the last take.
   *
   * @param aside added to the position up to which the pair speaks; 0 for the right one
   */
  record SettleBelow(int seq, int place, int aside) implements ModelStep {}

  /** Sweeps all ids. */
  record Sweep() implements ModelStep {}

  /**
   * @param aside added to the position that is expected; 0 for the right one
   * @param copies in the later topic
   */
  record Recall(int aside, List<Copy> copies, boolean last) implements ModelStep {}

  /**
   * @param aside added to the position that is to be reached
   */
  record Complete(int aside) implements ModelStep {}

  record Judge(List<Copy> copies) implements ModelStep {}

  /**
   * @param back how far before the end of the log the message was written
   * @param far the far message it is the copy of, if any; it then has the id and origin of that one
   */
  record Copy(String id, int back, @Nullable Integer far) {}

  record Drop() implements ModelStep {}

  record AsOtherTopic(Operation operation) implements ModelStep {}

  enum Kind {
    SCHEDULE,
    COVERED,
    RETRY,
    COVERED_RETRY,
    ASK,
    COVERED_ASK,
    CANCEL,
    FAR,
    COVERED_FAR,
    HOME,
    COVERED_HOME,
    FAR_RETRY,
    COVERED_FAR_RETRY,
    INSTEAD,
    COVERED_INSTEAD,
    FAR_INSTEAD,
    COVERED_FAR_INSTEAD
  }

  /**
   * One entry of an ingest; the run gives it its offset.
   *
   * @param back how far before its own offset the origin of a retry copy or the message that an ask
   *     names is; or which far message comes home or is replaced
   */
  record Request(Kind kind, @Nullable String id, int due, int back) {}
}
