package io.delaybridge.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.bench.faults.Schedules.Calendar;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** The calendar of repeated messages detects violations. */
class SchedulesTest {

  private static final long FIRST = 1_800_000_000_000L;
  private static final int OCCURRENCES = 3;

  private final List<Violation> found = new ArrayList<>();
  private final Calendar calendar =
      new Calendar(FIRST, OCCURRENCES, (violation, what) -> found.add(violation));

  @Test
  void all_of_them_once_is_right() {
    arrive();
    calendar.conclude();
    assertThat(found).isEmpty();
    assertThat(calendar.arrived()).isEqualTo(Schedules.COUNT * OCCURRENCES);
  }

  @Test
  void one_that_is_missing_is_lost() {
    calendar.arrived(record(0, 1, 0, 0));
    calendar.conclude();
    assertThat(found).hasSize(Schedules.COUNT * OCCURRENCES - 1).containsOnly(Violation.LOST);
  }

  @Test
  void one_more_is_a_duplicate_or_strange() {
    arrive();
    calendar.arrived(record(7, 2, 0, 0));
    calendar.arrived(record(7, OCCURRENCES + 1, 0, 0));
    assertThat(found).containsExactly(Violation.DUPLICATED, Violation.STRANGE);
  }

  @Test
  void one_for_another_instant_is_corrupted_and_one_before_its_instant_is_early() {
    calendar.arrived(record(7, 2, 1, 0));
    calendar.arrived(record(7, 3, 0, -1));
    assertThat(found).containsExactly(Violation.CORRUPTED, Violation.EARLY);
  }

  private void arrive() {
    for (int occurrence = 1; occurrence <= OCCURRENCES; occurrence++) {
      for (int number = 0; number < Schedules.COUNT; number++) {
        calendar.arrived(record(number, occurrence, 0, 0));
      }
    }
  }

  private ConsumerRecord<byte[], byte[]> record(
      int number, int occurrence, long offScheduledAt, long offWritten) {
    long scheduledAt = calendar.scheduledAt(number, occurrence);
    RecordHeaders headers = new RecordHeaders();
    headers.add(DelayHeaders.OCCURRENCE, bytes(occurrence));
    headers.add(DelayHeaders.SCHEDULED_AT, bytes(scheduledAt + offScheduledAt));
    return new ConsumerRecord<>(
        "repeat-target",
        0,
        0,
        scheduledAt + offWritten,
        TimestampType.LOG_APPEND_TIME,
        0,
        0,
        null,
        bytes(number),
        headers,
        Optional.empty());
  }

  private static byte[] bytes(Object value) {
    return value.toString().getBytes(StandardCharsets.UTF_8);
  }
}
