package io.delaybridge.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {

  private final Deque<CompletableFuture<Void>> questions = new ArrayDeque<>();
  private final Heartbeats heartbeats = new Heartbeats(this::ask);

  private CompletableFuture<Void> ask() {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    questions.add(answer);
    return answer;
  }

  /** A consumer that provides only the count of answers. */
  private static final class Counted extends MockConsumer<byte[], byte[]> {
    private double answers;

    Counted() {
      super("none");
    }

    @Override
    public synchronized Map<MetricName, ? extends Metric> metrics() {
      MetricName name = new MetricName("heartbeat-total", "group", "", Map.of());
      return Map.of(
          name,
          new Metric() {
            @Override
            public MetricName metricName() {
              return name;
            }

            @Override
            public Object metricValue() {
              return answers;
            }
          });
    }
  }

  @Test
  void withoutAnyAnswerTheyAreNotFresh() {
    heartbeats.watch("loop-0", new Counted());

    assertThat(heartbeats.areFresh()).isFalse();
  }

  @Test
  void anAnswerIsFreshForAWhile() {
    Counted consumer = new Counted();
    heartbeats.watch("loop-0", consumer);
    consumer.answers++;
    assertThat(heartbeats.areFresh()).isTrue();
    assertThat(heartbeats.areFresh()).isTrue();
    assertThat(heartbeats.areFresh()).isFalse();

    consumer.answers++;
    assertThat(heartbeats.areFresh()).isTrue();
  }

  @Test
  void oneOfSeveralIsEnough() {
    Counted silent = new Counted();
    Counted answered = new Counted();
    heartbeats.watch("loop-0", silent);
    heartbeats.watch("loop-1", answered);
    answered.answers++;

    assertThat(heartbeats.areFresh()).isTrue();
  }

  /** Otherwise a loop that restarts again and again would look healthy. */
  @Test
  void aConsumerThatIsReplacedBeginsWithoutAnAnswer() {
    Counted before = new Counted();
    heartbeats.watch("loop-0", before);
    before.answers++;
    assertThat(heartbeats.areFresh()).isTrue();

    heartbeats.watch("loop-0", new Counted());

    assertThat(heartbeats.areFresh()).isTrue();
    assertThat(heartbeats.areFresh()).isFalse();
  }

  /** As long as a consumer waits for the group to divide its partitions. */
  @Test
  void withoutHeartbeatsAnotherAnswerCounts() {
    heartbeats.watch("loop-0", new Counted());
    assertThat(heartbeats.areFresh()).isFalse();
    assertThat(heartbeats.areFresh()).isFalse();
    assertThat(questions).as("one at a time").hasSize(1);

    questions.remove().complete(null);

    assertThat(heartbeats.areFresh()).isTrue();
    assertThat(questions).as("not while it has answered").isEmpty();
    assertThat(heartbeats.areFresh()).isTrue();
    assertThat(questions).hasSize(1);
    assertThat(heartbeats.areFresh()).isFalse();
  }

  @Test
  void aQuestionThatFailsIsAskedAgain() {
    assertThat(heartbeats.areFresh()).isFalse();
    questions.remove().completeExceptionally(new IllegalStateException("Kafka does not answer"));

    assertThat(heartbeats.areFresh()).isFalse();
    assertThat(questions).hasSize(1);
  }

  @Test
  void aQuestionThatCannotBeAskedIsAskedAgain() {
    AtomicInteger asked = new AtomicInteger();
    Heartbeats broken =
        new Heartbeats(
            () -> {
              asked.incrementAndGet();
              throw new IllegalStateException("out of luck");
            });

    assertThatThrownBy(broken::areFresh).hasMessage("out of luck");
    assertThatThrownBy(broken::areFresh).hasMessage("out of luck");
    assertThat(asked).hasValue(2);
  }

  @Test
  void whileThereAreHeartbeatsNothingIsAsked() {
    Counted consumer = new Counted();
    heartbeats.watch("loop-0", consumer);
    for (int i = 0; i < 100; i++) {
      consumer.answers++;
      assertThat(heartbeats.areFresh()).isTrue();
    }

    assertThat(questions).isEmpty();
  }

  /** Detects a release of Kafka's client that renames it. */
  @Test
  void kafkasConsumerCountsThem() {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", "g", "group.protocol", "classic");
    try (KafkaConsumer<byte[], byte[]> real =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      heartbeats.watch("loop-0", real);
    }
    assertThatThrownBy(() -> heartbeats.watch("loop-0", new MockConsumer<byte[], byte[]>("none")))
        .isInstanceOf(IllegalStateException.class);
  }
}
