package io.delaybridge.connect.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallbackRecordTest {

  @Test
  void hasTheBytesThatWereRead() {
    CallbackRecord record = Records.record("k", "v", "a", "1", "a", "2");

    assertThat(record.key()).isEqualTo(Records.utf8("k"));
    assertThat(record.value()).isEqualTo(Records.utf8("v"));
    assertThat(record.headers()).extracting(Header::key).containsExactly("a", "a");
    assertThat(record.header("a")).isEqualTo("2");
    assertThat(record.header("b")).isNull();
  }

  @Test
  void takesBuffers() {
    assertThat(record(ByteBuffer.wrap(new byte[] {1, 2, 3}).position(1)).value())
        .containsExactly(2, 3);
  }

  @Test
  void namesTheConverterThatIsWrong() {
    assertThatThrownBy(() -> record("text"))
        .isInstanceOf(ConnectException.class)
        .hasMessage(
            "The value of a record is not bytes but java.lang.String: set value.converter to"
                + " org.apache.kafka.connect.converters.ByteArrayConverter");
  }

  private static CallbackRecord record(Object value) {
    return CallbackRecord.of(
        new SinkRecord("t", 0, null, null, null, value, 0, 0L, TimestampType.CREATE_TIME));
  }

  @Test
  void nothingIsAnEmptyBody() {
    assertThat(Records.record(null, null).body()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "12, 12", "0, 1", "-3, 1", "x, 1", "99999999999, 1", "'', 1"})
  void theAttemptIsOneUnlessTheHeaderIsANumber(String header, int attempt) {
    assertThat(Records.record(null, null, "delay-callback-attempt", header).attempt())
        .isEqualTo(attempt);
  }

  @Test
  void theOriginIsTheFirstSource() {
    assertThat(Records.record(null, null).origin()).isEqualTo("reminders/2/7");
    assertThat(Records.record(null, null, "delay-source", "i/0/1").origin()).isEqualTo("i/0/1");
    assertThat(
            Records.record(null, null, "delay-source", "i/0/9", "delay-callback-source", "i/0/1")
                .origin())
        .isEqualTo("i/0/1");
  }
}
