package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredAsk.Verb;
import io.delaybridge.schemas.StoredMessage;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Taken;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link ToldWatermarks} checks the other conditions of a watermark. */
class WatermarkQuestionTest {

  private static final long AT = 1_000;

  private final WatermarkQuestion question = new WatermarkQuestion(AT, Long.MAX_VALUE);

  private static Taken seen(long next, Due first, DelayedMessage... asks) {
    return new Taken(next, List.of(asks), first, 0, 0);
  }

  private static DelayedMessage ask(long offset, StoredAsk ask) {
    return new DelayedMessage(
        Due.asked(offset),
        new StoredMessage(
            null,
            null,
            List.of(),
            1,
            0,
            StoredMessage.NO_EXPIRY,
            StoredMessage.SELF,
            null,
            null,
            ask,
            0,
            StoredMessage.NEAR,
            StoredMessage.SELF));
  }

  @Test
  void withNothingPendingAllIsOutThatWasThereWhenItWasAsked() {
    question.look(seen(7, Due.NEVER), 7);

    assertThat(question.answer(7)).hasValue(AT);
    assertThat(question.end()).isEqualTo(7);
  }

  @Test
  void whatIsDueLaterDoesNotMatter() {
    question.look(seen(7, new Due(AT + 1, 3)), 7);

    assertThat(question.answer(7)).hasValue(AT);
  }

  @Test
  void itEndsBeforeTheFirstThatIsPending() {
    question.look(seen(7, new Due(AT, 3)), 7);

    assertThat(question.answer(7)).hasValue(AT - 1);
  }

  @Test
  void nothingIsToldBeforeTheStoreHasAllThatWasThere() {
    question.look(seen(ShardStore.ABSENT, Due.NEVER), 7);
    assertThat(question.answer(7)).isEmpty();
    question.look(seen(6, Due.NEVER), 7);
    assertThat(question.answer(7)).isEmpty();
    question.look(seen(7, Due.NEVER), 7);
    assertThat(question.answer(7)).hasValue(AT);
  }

  /** Records that were written since may include copies of messages that were no longer pending. */
  @Test
  void whatWasWrittenMeanwhileIsReadAsWell() {
    question.look(seen(6, Due.NEVER), 7);
    question.look(seen(8, new Due(800, 3)), 9);
    assertThat(question.answer(8)).isEmpty();
    question.look(seen(8, Due.NEVER), 20);
    assertThat(question.answer(8)).isEmpty();
    question.look(seen(10, new Due(900, 8)), 20);

    assertThat(question.answer(10)).hasValue(799);
    assertThat(question.end()).isEqualTo(7);
  }

  @Test
  void nothingIsToldBeforeTheCheckpointHasWhatTheStoreHas() {
    question.look(seen(6, Due.NEVER), 7);
    question.look(seen(9, Due.NEVER), 9);
    question.look(seen(12, new Due(5, 11)), 12);

    assertThat(question.answer(8)).isEmpty();
    assertThat(question.answer(9)).hasValue(AT);
  }

  @Test
  void whatAnAskHidesIsPending() {
    DelayedMessage cancel = ask(6, new StoredAsk(Verb.CANCEL, 2, 500, 0));
    DelayedMessage pause = ask(5, new StoredAsk(Verb.PAUSE, 0, 0, 0));
    question.look(seen(7, new Due(900, 3), pause, cancel), 7);

    assertThat(question.answer(7)).hasValue(499);
  }

  @Test
  void asksThatWereNotSeenMayHideAnything() {
    question.look(seen(7, Due.asked(6), ask(5, new StoredAsk(Verb.PAUSE, 0, 0, 0))), 7);

    assertThat(question.answer(7)).isEmpty();
  }

  @Test
  void itEndsBeforeWhatMayBeInTheLaterTopic() {
    Admission admission =
        Admission.of(Reading.latest(10_000, 300))
            .with(new Admission.Rule(4, Reading.latest(10_000, 200)), 0);
    assertThat(WatermarkQuestion.far(600, admission)).isEqualTo(700);
    assertThat(WatermarkQuestion.far(600, Admission.of(Reading.latest(10_000, 0)))).isEqualTo(600);
    WatermarkQuestion sooner = new WatermarkQuestion(AT, 800);
    sooner.look(seen(7, Due.NEVER), 7);

    assertThat(sooner.answer(7)).hasValue(800);
  }
}
