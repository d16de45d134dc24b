package io.delaybridge.message;

import static io.delaybridge.intake.IntakeRecord.schedule;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelayedMessageTest {

  /** As a release stored it that did not look at this header. */
  private static DelayedMessage stored(@Nullable String partition) {
    return schedule()
        .parsed()
        .withHeaders(
            List.of(
                new StoredHeader(
                    DelayHeaders.TARGET_PARTITION,
                    partition == null ? null : partition.getBytes(UTF_8))));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "7, 7", "007, 7", "2147483647, 2147483647"})
  void aMessageNamesAPartitionOfItsTarget(String text, int partition) {
    assertThat(stored(text).targetPartition()).isEqualTo(partition);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", "1.0", "first", "2147483648", "18446744073709551617"})
  void aStoredValueThatIsNoNumberNamesNone(String text) {
    assertThat(stored(text).targetPartition()).isNull();
  }

  @Test
  void aMessageWithoutTheHeaderNamesNone() {
    assertThat(schedule().parsed().targetPartition()).isNull();
    assertThat(stored(null).targetPartition()).isNull();
  }
}
