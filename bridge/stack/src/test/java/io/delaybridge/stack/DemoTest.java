package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class DemoTest {

  private static final long NOW = 1_700_000_060_000L;

  private final ConsumerRecord<byte[], byte[]> record =
      new ConsumerRecord<>(
          "delay-demo", 0, 0L, null, bytes("a value\nof two lines, and a long one"));

  @Test
  void showsHowLateAMessageIs() {
    add(DelayHeaders.DUE_AT, Long.toString(NOW - 7));

    assertThat(new Arrival(record, NOW).verdict()).isEqualTo("7 ms late");
  }

  @Test
  void showsSecondsIfItIsVeryLate() {
    add(DelayHeaders.DUE_AT, Long.toString(NOW - 61_234));

    assertThat(new Arrival(record, NOW).verdict()).isEqualTo("61 s late");
  }

  @Test
  void showsWhyAMessageIsDead() {
    add(DelayHeaders.DEAD_REASON, "NO_TARGET");
    add(DelayHeaders.DEAD_DETAIL, "there is none");

    assertThat(new Arrival(record, NOW).verdict()).isEqualTo("NO_TARGET: there is none");
  }

  @Test
  void showsAShortValueInOneLine() {
    assertThat(new Arrival(record, NOW).value()).isEqualTo("\"a value of two lines, and...\"");
  }

  @Test
  void ignoresWhatIsNotFromThisRun() {
    Demo demo = new Demo();
    add("demo-run", "another");

    demo.arrived(new Arrival(record, NOW));

    assertThat(demo.done()).isNotDone();
  }

  /** A topic that nobody has looked at proves nothing. */
  @Test
  void saysThatAMessageWaitsOnlyOnceItWasSeenThere() {
    Demo demo = new Demo();
    assertThat(demo.summary()).endsWith("was not seen in delay-intake-later.");

    demo.arrived(far("delay-demo", demo));
    assertThat(demo.summary()).endsWith("was not seen in delay-intake-later.");

    demo.arrived(far("delay-intake-later", demo));
    assertThat(demo.summary()).endsWith("waits in delay-intake-later.");
  }

  private static Arrival far(String topic, Demo demo) {
    ConsumerRecord<byte[], byte[]> copy = new ConsumerRecord<>(topic, 0, 0L, null, bytes(Demo.FAR));
    copy.headers().add("demo-run", bytes(demo.run()));
    return new Arrival(copy, NOW);
  }

  private void add(String header, String value) {
    record.headers().add(header, bytes(value));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
