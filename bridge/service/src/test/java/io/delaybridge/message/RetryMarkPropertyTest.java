package io.delaybridge.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.RetryMark.Kind;
import io.delaybridge.schemas.StoredMessage;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Properties that hold for every mark and for any text. */
class RetryMarkPropertyTest {

  @Property
  void whatIsWrittenIsReadAgain(
      @ForAll @LongRange(max = 999_999_999_999_999_999L) long origin,
      @ForAll @IntRange(min = 2, max = 999_999_999) int attempt,
      @ForAll @LongRange(max = 999_999_999_999_999L) long due,
      @ForAll @LongRange(max = 999_999_999_999_999_999L) long expiresAt) {
    RetryMark mark = new RetryMark(Kind.AGAIN, origin, attempt, due, expiresAt);

    assertThat(RetryMark.parse(mark.toString())).contains(mark);
  }

  @Property
  void aMarkWithoutExpiryIsReadAgain(
      @ForAll @LongRange(max = 999_999_999_999_999_999L) long origin,
      @ForAll @IntRange(min = 2, max = 999_999_999) int attempt) {
    RetryMark mark = new RetryMark(Kind.AGAIN, origin, attempt, 1, StoredMessage.NO_EXPIRY);

    assertThat(RetryMark.parse(mark.toString())).contains(mark);
  }

  @Property
  void anyTextIsAMarkOrNot(@ForAll String text) {
    RetryMark.parse(text).ifPresent(mark -> assertThat(mark.attempt()).isGreaterThan(1));
  }
}
