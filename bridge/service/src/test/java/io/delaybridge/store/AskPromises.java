package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.covered;
import static io.delaybridge.store.Samples.malformed;
import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.retry;
import static io.delaybridge.store.Samples.schedule;
import static io.delaybridge.store.Samples.valued;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredAsk.Verb;
import io.delaybridge.schemas.StoredMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An ask takes the place of the message that it names, and of no other. */
interface AskPromises extends StoreFixture {

  @Test
  default void anAskTakesThePlaceOfTheMessageThatItNames() {
    shard().append(schedule(message(1, 10)), schedule(message(2, 10)));

    shard().append(ask(101, 1, 10, null));

    assertThat(shard().pending()).containsExactly(asked(101, message(1, 10)), message(2, 10));
    assertThat(shard().take(0).count()).isEqualTo(2);
  }

  @Test
  default void anAskComesBeforeEverythingAndIsDueAlways() {
    shard().append(schedule(message(1, 10)), schedule(message(2, 0)));

    shard().append(ask(101, 1, 10, null));

    assertThat(shard().take(Due.ASKED).messages()).containsExactly(asked(101, message(1, 10)));
    assertThat(shard().take(Due.ASKED).first()).isEqualTo(new Due(0, 2));
  }

  @Test
  default void anAskThatNamesNothingIsStoredAlone() {
    shard().append(ask(1, 7, 10, null));

    assertThat(shard().pending()).containsExactly(inVain(1, 7, 10));
    assertThat(shard().pending().get(0).isAskedInVain()).isTrue();
  }

  @Test
  default void aCoveredAskWithAnotherDueTimeThanTheMessageHasLeavesItsId() {
    shard().append(schedule(named(1, 10, "a")));

    shard()
        .append(
            new Entry.Asked(
                new Ask(Due.asked(101), "a", new StoredAsk(Verb.CANCEL, 1, 11, 0)), true));
    shard().append(cancel("a"));

    assertThat(shard().pending()).isEmpty();
  }

  @Test
  default void anAskWithAnotherDueTimeThanTheMessageHasDoesNotTouchIt() {
    shard().append(schedule(message(1, 10)));

    shard().append(ask(101, 1, 11, null));

    assertThat(shard().pending()).containsExactly(inVain(101, 1, 11), message(1, 10));
  }

  @Test
  default void anAskFindsAMessageWhoseValueLooksLikeAnId() {
    DelayedMessage message = valued(1, 10, "\n\bdelay-id\u0012\u0001x and more");
    shard().append(schedule(message), schedule(named(2, 10, "x")));

    shard().append(ask(101, 1, 10, null));

    assertThat(shard().pending()).containsExactly(asked(101, message), named(2, 10, "x"));
  }

  @Test
  default void anAskFindsAMalformedMessageThatHasTheHeaderOfAnId() {
    shard().append(schedule(malformed(1, 10, "x")), schedule(named(2, 10, "x")));

    shard().append(ask(101, 1, 10, null));

    assertThat(shard().pending())
        .containsExactly(asked(101, malformed(1, 10, "x")), named(2, 10, "x"));
  }

  @Test
  default void anAskWithoutAnIdDoesNotTouchAMessageThatHasOne() {
    String longest = "x".repeat(256);
    shard().append(schedule(named(1, 10, "x")), schedule(named(2, 10, longest)));

    shard().append(ask(101, 1, 10, null), ask(102, 2, 10, null));

    assertThat(shard().pending())
        .containsExactly(
            inVain(101, 1, 10), inVain(102, 2, 10), named(1, 10, "x"), named(2, 10, longest));
  }

  @Test
  default void anAskFindsAMessageOfTheSameBatch() {
    shard().append(schedule(message(1, 10)), ask(2, 1, 10, null));

    assertThat(shard().pending()).containsExactly(asked(2, message(1, 10)));
  }

  @Test
  default void anAskOfTheShardStandsAlone() {
    shard().append(schedule(message(0, 0)));
    Entry pause =
        new Entry.Asked(new Ask(Due.asked(101), null, new StoredAsk(Verb.PAUSE, 0, 0, 0)), false);

    shard().append(pause);

    assertThat(shard().pendingOffsets()).containsExactly(101L, 0L);
    assertThat(shard().pending().get(1)).isEqualTo(message(0, 0));
  }

  @Test
  default void twoAsksForOneMessageFindItOnce() {
    shard().append(schedule(message(1, 10)));

    shard().append(ask(101, 1, 10, null), ask(102, 1, 10, null));

    assertThat(shard().pending()).containsExactly(asked(101, message(1, 10)), inVain(102, 1, 10));
  }

  @Test
  default void theIdOfTheMessageStandsForItsAskAndKeepsItsOrigin() {
    shard().append(schedule(named(1, 10, "a")));
    shard().append(ask(101, 1, 10, "a"));
    shard().settleKeepingIds(1, asked(101, named(1, 10, "a")));

    shard().append(schedule(retry(201, 20, "a", 1)));

    assertThat(shard().pending()).containsExactly(retry(201, 20, "a", 1));
  }

  @Test
  default void aCancelOfTheIdRemovesTheAsk() {
    shard().append(schedule(named(1, 10, "a")), ask(2, 1, 10, "a"));

    shard().append(cancel("a"));

    assertThat(shard().pending()).isEmpty();
    assertThat(shard().ids()).isEmpty();
  }

  @Test
  default void aReplacementRemovesTheAsk() {
    shard().append(schedule(named(1, 10, "a")), ask(2, 1, 10, "a"));

    shard().append(schedule(named(101, 20, "a")));

    assertThat(shard().pending()).containsExactly(named(101, 20, "a"));
  }

  @Test
  default void anAskDoesNotTakeTheIdOfAReplacement() {
    shard().append(schedule(named(1, 10, "a")), schedule(named(2, 20, "a")));

    shard().append(ask(101, 1, 10, "a"));

    assertThat(shard().pending()).containsExactly(inVain(101, 1, 10), named(2, 20, "a"));
    shard().append(cancel("a"));
    assertThat(shard().pendingOffsets()).containsExactly(101L);
  }

  @Test
  default void theIdGoesWithAnAskThatIsSettled() {
    shard().append(schedule(named(1, 10, "a")), ask(2, 1, 10, "a"));

    shard().settle(1, asked(2, named(1, 10, "a")));

    assertThat(shard().pending()).isEmpty();
    assertThat(shard().ids()).isEmpty();
  }

  @Test
  default void aCoveredAskTakesTheMessageAwayAndIsNotStored() {
    shard().append(schedule(named(1, 10, "a")));

    shard().append(coveredAsk(101, 1, 10, "a"));

    assertThat(shard().pending()).isEmpty();
    shard().append(schedule(retry(201, 20, "a", 1)));
    assertThat(shard().pendingOffsets()).containsExactly(201L);
  }

  @Test
  default void aCoveredAskForACoveredMessageStandsInItsPlace() {
    shard().append(covered(named(1, 10, "a")), coveredAsk(2, 1, 10, "a"));

    shard().append(schedule(retry(101, 20, "a", 1)));

    assertThat(shard().pendingOffsets()).containsExactly(101L);
  }

  @Test
  default void aCoveredAskDoesNotTouchAReplacement() {
    shard().append(covered(named(1, 10, "a")), schedule(named(2, 20, "a")));

    shard().append(coveredAsk(101, 1, 10, "a"));

    assertThat(shard().pending()).containsExactly(named(2, 20, "a"));
  }

  @Test
  default void anAskWithAnotherIdThanTheMessageHasDoesNotTouchIt() {
    shard().append(schedule(named(1, 10, "a")), schedule(message(2, 10)));

    shard().append(ask(101, 1, 10, null), ask(102, 1, 10, "b"), ask(103, 2, 10, "a"));

    assertThat(shard().pendingOffsets()).containsExactly(101L, 102L, 103L, 1L, 2L);
    assertThat(shard().pending().subList(0, 3)).allMatch(DelayedMessage::isAskedInVain);
    shard().append(cancel("a"));
    assertThat(shard().pendingOffsets()).containsExactly(101L, 102L, 103L, 2L);
  }

  @Test
  default void anAskKeepsTheAttemptOfARetryCopy() {
    shard().append(schedule(retry(5, 10, null, 1)));

    shard().append(ask(101, 5, 10, null));

    DelayedMessage asked = shard().pending().get(0);
    assertThat(asked.origin()).isEqualTo(1);
    assertThat(asked.content().attempt()).isEqualTo(2);
  }

  private static Entry ask(long offset, long of, long due, @Nullable String id) {
    return new Entry.Asked(new Ask(Due.asked(offset), id, stored(of, due)), false);
  }

  private static Entry coveredAsk(long offset, long of, long due, @Nullable String id) {
    return new Entry.Asked(new Ask(Due.asked(offset), id, stored(of, due)), true);
  }

  private static StoredAsk stored(long of, long due) {
    return new StoredAsk(Verb.MOVE, of, due, 99);
  }

  private static DelayedMessage asked(long offset, DelayedMessage message) {
    Due key = message.key();
    return new DelayedMessage(
        Due.asked(offset), message.content().askedBy(stored(key.offset(), key.time())));
  }

  private static DelayedMessage inVain(long offset, long of, long due) {
    return new DelayedMessage(Due.asked(offset), StoredMessage.inVain(stored(of, due)));
  }
}
