package io.delaybridge.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class ReplayRunTest {

  @Test
  void aReplayWhoseEndCanNotBeNotedHasNotFailed() {
    MarkCodec codec = new MarkCodec(Letters.MARKS);
    Ledger ledger =
        new Ledger(
            () -> {
              throw new KafkaException("no broker");
            },
            MarkStore::new,
            codec,
            Duration.ofMillis(1));
    ReplayRun run =
        new ReplayRun(
            new ReplayRun.ReplayTools(
                new Contents(() -> new LetterReader(new MockConsumer<>("none"), () -> 0)),
                ledger,
                codec,
                new ReplayRecords(intake -> 0)),
            List.of(),
            new ReplayJob("job", "a", ReplayJob.State.RUNNING, 2, 2, 0, 0, 100, Letters.AT, null),
            "me",
            () -> Instant.ofEpochMilli(Letters.AT),
            () -> 0);

    run.stop();
    run.run();

    assertThat(run.status().state()).isEqualTo(ReplayJob.State.DONE);
    assertThat(run.status().problem()).isNull();
  }
}
