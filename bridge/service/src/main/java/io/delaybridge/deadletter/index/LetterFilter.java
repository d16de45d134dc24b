package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.marks.Mark;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects dead letters; a field that is null does not matter.
 *
 * @param from died at this instant or later, epoch milliseconds
 * @param to died before this instant, epoch milliseconds
 * @param intakes the intakes that whoever asks may see
 */
public record LetterFilter(
    @Nullable String reason,
    @Nullable String target,
    @Nullable Long from,
    @Nullable Long to,
    Mark.@Nullable State state,
    @Nullable String intake,
    Predicate<String> intakes) {

  boolean matches(DeadLetter letter) {
    String topic = letter.source().topic();
    return (reason == null || reason.equals(letter.reason()))
        && (target == null || target.equals(letter.target()))
        && (from == null || letter.at() >= from)
        && (to == null || letter.at() < to)
        && (intake == null || intake.equals(topic))
        && intakes.test(topic);
  }
}
