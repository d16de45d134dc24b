package io.delaybridge.deadletter.replay;

import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.Mark.State;
import io.delaybridge.deadletter.replay.Refusal.Code;
import io.delaybridge.schemas.Reason;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides which dead letters may be replayed. Pure. */
public final class ReplayRules {

  /** The reasons that are found when a record is read: its own headers are at fault. */
  private static final Set<String> MALFORMED =
      EnumSet.of(
              Reason.INVALID_TARGET,
              Reason.INVALID_TARGET_PARTITION,
              Reason.NO_DUE_TIME,
              Reason.AMBIGUOUS_DUE_TIME,
              Reason.NEGATIVE_DELAY,
              Reason.UNREADABLE_DUE_TIME,
              Reason.DUE_TIME_OVERFLOW,
              Reason.DELAY_TOO_LONG,
              Reason.INVALID_ID,
              Reason.CANCEL_WITHOUT_ID,
              Reason.UNKNOWN_OP,
              Reason.INVALID_TTL,
              Reason.INVALID_MAX_ATTEMPTS,
              Reason.INVALID_SPREAD,
              Reason.INVALID_UTF8,
              Reason.DUPLICATE_HEADER,
              Reason.INVALID_RETRY,
              Reason.INVALID_PENDING,
              Reason.INVALID_EVERY,
              Reason.INVALID_CRON,
              Reason.INVALID_ZONE,
              Reason.INVALID_UNTIL,
              Reason.INVALID_COUNT,
              Reason.INVALID_MISSED,
              Reason.INVALID_REPEAT,
              Reason.REPEAT_WITHOUT_ID,
              Reason.UNKNOWN_HEADER)
          .stream()
          .map(Reason::name)
          .collect(Collectors.toUnmodifiableSet());

  private final Set<String> intakes;
  private final int maxReplays;
  private final Predicate<String> passesUnknown;

  /**
   * @param intakes of this bridge
   * @param maxReplays how often a message is replayed at most
   * @param passesUnknown whether unknown headers pass now, by intake
   */
  public ReplayRules(Set<String> intakes, int maxReplays, Predicate<String> passesUnknown) {
    this.intakes = intakes;
    this.maxReplays = maxReplays;
    this.passesUnknown = passesUnknown;
  }

  /** Why this letter is never replayed, if so. */
  Optional<Refusal> never(DeadLetter letter) {
    String intake = letter.source().topic();
    if (!intakes.contains(intake)) {
      return refused(Code.NOT_AN_INTAKE, intake + " is not an intake of this bridge");
    }
    if (letter.replays() >= maxReplays) {
      return refused(
          Code.LOOP,
          "%s is a dead letter after %d replays (deadLetters.maxReplays is %d)"
              .formatted(letter.source(), letter.replays(), maxReplays));
    }
    return Optional.empty();
  }

  /** Why this letter is not replayed with the headers that it has, if so. */
  Optional<Refusal> malformed(DeadLetter letter) {
    boolean isHealed =
        letter.reason().equals(Reason.UNKNOWN_HEADER.name())
            && passesUnknown.test(letter.source().topic());
    return MALFORMED.contains(letter.reason()) && !isHealed
        ? refused(
            Code.MALFORMED,
            "%s would only be %s again; give corrected headers"
                .formatted(letter.source(), letter.reason()))
        : Optional.empty();
  }

  /** Why this letter is not replayed again, if so. */
  static Optional<Refusal> already(DeadLetter letter, @Nullable Mark mark) {
    if (mark == null) {
      return Optional.empty();
    }
    return mark.state() == State.REPLAYED
        ? refused(Code.ALREADY, letter.source() + " was replayed as " + mark.replayedAs())
        : refused(Code.ALREADY, letter.source() + " was marked as handled by " + mark.by());
  }

  private static Optional<Refusal> refused(Code code, String text) {
    return Optional.of(new Refusal(code, text));
  }
}
