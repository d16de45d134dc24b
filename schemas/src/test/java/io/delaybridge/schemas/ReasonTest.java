package io.delaybridge.schemas;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReasonTest {

  /** Stored messages keep these numbers: a line may be added, never changed. */
  private static final Map<Integer, String> NUMBERS =
      Map.ofEntries(
          entry(1, "NO_TARGET"),
          entry(2, "INVALID_TARGET"),
          entry(3, "FORBIDDEN_TARGET"),
          entry(4, "CONTROL_TOPIC"),
          entry(5, "UNKNOWN_TARGET"),
          entry(6, "UNAUTHORIZED_TARGET"),
          entry(7, "UNAVAILABLE_TARGET"),
          entry(8, "NO_DUE_TIME"),
          entry(9, "AMBIGUOUS_DUE_TIME"),
          entry(10, "NEGATIVE_DELAY"),
          entry(11, "UNREADABLE_DUE_TIME"),
          entry(12, "DUE_TIME_OVERFLOW"),
          entry(13, "DELAY_TOO_LONG"),
          entry(14, "INVALID_ID"),
          entry(15, "CANCEL_WITHOUT_ID"),
          entry(16, "UNKNOWN_OP"),
          entry(17, "INVALID_TTL"),
          entry(18, "INVALID_MAX_ATTEMPTS"),
          entry(19, "INVALID_SPREAD"),
          entry(20, "INVALID_UTF8"),
          entry(21, "DUPLICATE_HEADER"),
          entry(22, "INVALID_RETRY"),
          entry(23, "RECORD_TOO_LARGE"),
          entry(24, "REFUSED_BY_TARGET"),
          entry(25, "EXPIRED"),
          entry(26, "ATTEMPTS_EXHAUSTED"),
          entry(27, "INVALID_PENDING"),
          entry(28, "QUOTA_EXCEEDED"),
          entry(29, "CONSUMER_FAILED"),
          entry(30, "CONSUMER_REJECTED"),
          entry(31, "CALLBACK_REFUSED"),
          entry(32, "CALLBACK_FORBIDDEN"),
          entry(33, "CALLBACK_EXHAUSTED"),
          entry(34, "INVALID_EVERY"),
          entry(35, "INVALID_CRON"),
          entry(36, "INVALID_ZONE"),
          entry(37, "INVALID_UNTIL"),
          entry(38, "INVALID_COUNT"),
          entry(39, "INVALID_MISSED"),
          entry(40, "INVALID_REPEAT"),
          entry(41, "REPEAT_WITHOUT_ID"),
          entry(42, "UNKNOWN_HEADER"),
          entry(43, "INVALID_TARGET_PARTITION"));

  @Test
  void everyNumberMeansWhatItHasAlwaysMeant() {
    // toMap refuses two reasons with one number.
    Map<Integer, String> actual =
        Arrays.stream(Reason.values()).collect(Collectors.toMap(Reason::number, Reason::name));

    assertThat(actual).isEqualTo(NUMBERS);
  }

  @ParameterizedTest
  @EnumSource
  void aReasonIsFoundByItsNumber(Reason reason) {
    assertThat(Reason.ofNumber(reason.number())).isSameAs(reason);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 99, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void aNumberThatIsNotInUseIsNoReason(int number) {
    assertThat(Reason.ofNumber(number)).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void everyReasonIsDescribedInOneSentence(Reason reason) {
    assertThat(reason.description()).matches("[A-Z][^.]+\\.");
  }

  @Test
  void noTwoReasonsHaveTheSameDescription() {
    assertThat(Reason.values()).extracting(Reason::description).doesNotHaveDuplicates();
  }
}
