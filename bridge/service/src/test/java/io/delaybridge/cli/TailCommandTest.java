package io.delaybridge.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class TailCommandTest {

  private static String line(String due, String delivered) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("orders", 1, 7, null, "v".getBytes(UTF_8));
    record.headers().add(DelayHeaders.DUE_AT, due.getBytes(UTF_8));
    record.headers().add(DelayHeaders.DELIVERED_AT, delivered.getBytes(UTF_8));
    return TailCommand.line(record);
  }

  @Test
  void saysHowLateADeliveryWas() {
    assertThat(line("1000", "1012")).startsWith("orders/1/7 12 ms late key=null value=v");
  }

  @Test
  void showsARecordWhoseHeadersNoBridgeHasWritten() {
    assertThat(line("soon", "1012"))
        .startsWith("orders/1/7 key=null value=v")
        .contains("delay-due-at=soon");
    assertThat(line("1000", "9999999999999999999")).startsWith("orders/1/7 key=null");
  }
}
