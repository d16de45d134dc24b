package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** A committed offset that Kafka does not tell while the transaction of a predecessor is open. */
class CommittedTest {

  private static final TopicPartition PARTITION = new TopicPartition("intake", 0);

  @Test
  void isReadSoonAfterTheTransactionIsOver() throws Exception {
    Unstable consumer = new Unstable(3);

    assertThat(Committed.read(consumer, PARTITION).offset()).isEqualTo(-1);

    assertThat(consumer.waited).isLessThanOrEqualTo(Duration.ofMillis(100));
  }

  @Test
  void isWaitedForHalfASecondAtMost() {
    Unstable consumer = new Unstable(Integer.MAX_VALUE);

    assertThatThrownBy(() -> Committed.read(consumer, PARTITION))
        .isInstanceOf(TimeoutException.class);

    assertThat(consumer.waited).isEqualTo(Duration.ofMillis(500));
  }

  /** Answers after this many questions have timed out. */
  private static final class Unstable extends MockConsumer<byte[], byte[]> {
    private int open;
    private Duration waited = Duration.ZERO;

    Unstable(int open) {
      super("none");
      this.open = open;
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndMetadata> committed(
        Set<TopicPartition> partitions, Duration timeout) {
      waited = waited.plus(timeout);
      if (open-- > 0) {
        throw new TimeoutException();
      }
      return Map.of();
    }
  }
}
