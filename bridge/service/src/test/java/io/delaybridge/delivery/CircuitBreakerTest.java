package io.delaybridge.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {

  // Close to where the monotonic clock wraps around.
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private final CircuitBreaker breaker = new CircuitBreaker(nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void aTargetIsTriedUntilItTimesOut() {
    assertThat(breaker.isOpen("orders")).isFalse();
  }

  @Test
  void aTargetThatAloneTimesOutIsLeftAloneForTwoSeconds() {
    breaker.timedOut("orders", true);

    assertThat(breaker.isOpen("orders")).isTrue();
    pass(Duration.ofSeconds(2).minusNanos(1));
    assertThat(breaker.isOpen("orders")).isTrue();
    pass(Duration.ofNanos(1));
    assertThat(breaker.isOpen("orders")).isFalse();
  }

  @Test
  void otherTargetsAreNotAffected() {
    breaker.timedOut("orders", true);

    assertThat(breaker.isOpen("invoices")).isFalse();
  }

  @Test
  void aTimeOutThatMayBeKafkasOwnIsForgivenTwice() {
    breaker.timedOut("orders", false);
    assertThat(breaker.isOpen("orders")).isFalse();
    breaker.timedOut("orders", false);
    assertThat(breaker.isOpen("orders")).isFalse();
    breaker.timedOut("orders", false);
    assertThat(breaker.isOpen("orders")).isTrue();
  }

  @Test
  void eachFurtherTimeOutDoublesThePause() {
    breaker.timedOut("orders", true);
    pass(Duration.ofSeconds(2));
    breaker.timedOut("orders", true);

    pass(Duration.ofSeconds(4).minusNanos(1));
    assertThat(breaker.isOpen("orders")).isTrue();
    pass(Duration.ofNanos(1));
    assertThat(breaker.isOpen("orders")).isFalse();
  }

  @Test
  void thePauseNeverExceedsTwoMinutes() {
    for (int i = 0; i < 50; i++) {
      breaker.timedOut("orders", true);
      pass(Duration.ofMinutes(2));
      assertThat(breaker.isOpen("orders")).isFalse();
    }
    breaker.timedOut("orders", true);
    pass(Duration.ofMinutes(2).minusNanos(1));
    assertThat(breaker.isOpen("orders")).isTrue();
  }

  @Test
  void severalRecordsThatTimeOutInOneTurnCountOnce() {
    breaker.timedOut("orders", true);
    breaker.timedOut("orders", true);
    breaker.timedOut("orders", true);

    pass(Duration.ofSeconds(2));
    assertThat(breaker.isOpen("orders")).isFalse();
  }

  @Test
  void oneSuccessForgetsAllTimeOuts() {
    breaker.timedOut("orders", true);
    pass(Duration.ofSeconds(2));
    breaker.timedOut("orders", true);
    breaker.succeeded("orders");
    assertThat(breaker.isOpen("orders")).isFalse();

    breaker.timedOut("orders", true);
    pass(Duration.ofSeconds(2));
    assertThat(breaker.isOpen("orders")).isFalse();
  }

  @Test
  void aSuccessInBetweenRenewsTheForgiveness() {
    breaker.timedOut("orders", false);
    breaker.timedOut("orders", false);
    breaker.succeeded("orders");
    breaker.timedOut("orders", false);

    assertThat(breaker.isOpen("orders")).isFalse();
  }
}
