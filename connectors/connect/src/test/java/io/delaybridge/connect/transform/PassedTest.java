package io.delaybridge.connect.transform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PassedTest {

  private static final FieldPath DUE = FieldPath.of("value.due");

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final Passed passed = new Passed(nanos::get);

  @Test
  void theFirstRecordIsToldAndTheOthersOnceAMinute() {
    assertThat(passed.add("orders", DUE))
        .hasValue(
            "A record of orders has no value.due and goes out undelayed (missing.field=pass)");
    assertThat(passed.add("orders", DUE)).isEmpty();
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1) - 1);
    assertThat(passed.add("orders", DUE)).isEmpty();

    nanos.addAndGet(1);
    assertThat(passed.add("orders", DUE))
        .hasValue("3 more records of this task have no value.due and go out undelayed, 4 in all");
    assertThat(passed.add("orders", DUE)).isEmpty();

    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
    assertThat(passed.add("orders", DUE))
        .hasValue("2 more records of this task have no value.due and go out undelayed, 6 in all");
    assertThat(passed.total()).isEqualTo(6);
  }
}
