package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.covered;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.retry;
import static io.delaybridge.store.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The cases in which the copy for a later attempt still counts. */
interface RetryPromises extends StoreFixture {

  @Test
  default void aRetryCopyIsStoredWhileItsIdStandsForItsOrigin() {
    firstAttemptFailed();

    shard().append(schedule(retry(101, 20, "a", 1)));

    assertThat(shard().pending()).containsExactly(retry(101, 20, "a", 1));
    shard().append(cancel("a"));
    assertThat(shard().pending()).isEmpty();
  }

  @Test
  default void aRetryCopyTakesThePlaceOfAnAttemptThatIsStillPending() {
    shard().append(schedule(named(1, 10, "a")));

    shard().append(schedule(retry(101, 20, "a", 1)));

    assertThat(shard().pending()).containsExactly(retry(101, 20, "a", 1));
  }

  @Test
  default void theOriginStaysOverAllAttempts() {
    firstAttemptFailed();
    shard().append(schedule(retry(101, 20, "a", 1)));
    shard().settleKeepingIds(2, retry(101, 20, "a", 1));

    shard().append(schedule(retry(201, 30, "a", 1)));

    assertThat(shard().pending()).containsExactly(retry(201, 30, "a", 1));
  }

  @Test
  default void aRetryCopyIsDroppedIfItsIdWasCancelled() {
    firstAttemptFailed();

    shard().append(cancel("a"), schedule(retry(101, 20, "a", 1)));

    assertThat(shard().pending()).isEmpty();
    assertThat(shard().ids()).isEmpty();
  }

  @Test
  default void aRetryCopyIsDroppedIfItsIdWasReplaced() {
    firstAttemptFailed();

    shard().append(schedule(named(101, 30, "a")), schedule(retry(102, 20, "a", 1)));

    assertThat(shard().pending()).containsExactly(named(101, 30, "a"));
  }

  @Test
  default void aRetryCopyIsDroppedIfItsReplacementWasDeliveredMeanwhile() {
    firstAttemptFailed();
    shard().append(schedule(named(101, 30, "a")));
    shard().settle(2, named(101, 30, "a"));

    shard().append(schedule(retry(201, 40, "a", 1)));

    assertThat(shard().pending()).isEmpty();
  }

  @Test
  default void aRetryCopyWithoutAnIdIsAlwaysStored() {
    shard().append(schedule(retry(20, 10, null, 1)));

    assertThat(shard().pending()).containsExactly(retry(20, 10, null, 1));
    assertThat(shard().ids()).isEmpty();
  }

  @Test
  default void aCoveredRetryCopyReplacesTheAttemptBefore() {
    shard().append(schedule(named(1, 10, "a")));

    shard().append(covered(retry(101, 5, "a", 1)));

    assertThat(shard().pending()).isEmpty();
    shard().append(schedule(retry(201, 30, "a", 1)));
    assertThat(shard().pendingOffsets()).containsExactly(201L);
  }

  @Test
  default void aCoveredRetryCopyDoesNotTouchAReplacement() {
    firstAttemptFailed();

    shard().append(schedule(named(101, 30, "a")), covered(retry(102, 5, "a", 1)));

    assertThat(shard().pending()).containsExactly(named(101, 30, "a"));
    shard().append(cancel("a"));
    assertThat(shard().pending()).isEmpty();
  }

  @Test
  default void aCoveredRetryCopyOfACancelledMessageNamesNothing() {
    firstAttemptFailed();

    shard().append(cancel("a"), covered(retry(101, 5, "a", 1)), covered(retry(102, 5, null, 1)));

    assertThat(shard().ids()).isEmpty();
    assertThat(shard().pending()).isEmpty();
  }

  /** Simulates a failed delivery of message 1 with id a; its copy is on its way. */
  private void firstAttemptFailed() {
    shard().append(schedule(named(1, 10, "a")));
    shard().settleKeepingIds(1, named(1, 10, "a"));
  }
}
