package io.delaybridge.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class TargetCatalogTest {

  private final StubAdmin kafka = new StubAdmin();
  private final TargetCatalog catalog = kafka.catalog();

  @Test
  void aTopicThatCanBeWrittenToIsAvailableUpToItsLimit() throws KafkaNotReadyException {
    kafka.available("orders", 1000);

    catalog.refresh(List.of("orders"));

    assertThat(catalog.get("orders")).isEqualTo(new Target.Available(1000, 1));
  }

  @Test
  void thePartitionsOfATopicAreCounted() throws KafkaNotReadyException {
    kafka.withPartitions("orders", 4);

    catalog.refresh(List.of("orders"));

    assertThat(catalog.get("orders")).isEqualTo(new Target.Available(1 << 20, 4));
  }

  @Test
  void aTopicWithoutAnExpectedPartitionIsAskedAboutAgainAfterASecond()
      throws KafkaNotReadyException {
    kafka.withPartitions("orders", 4);
    catalog.refresh(List.of("orders"));

    kafka.withPartitions("orders", 8).nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    catalog.expect("orders", 4);
    catalog.refresh(List.of("orders"));
    assertThat(kafka.questions).hasSize(1);

    kafka.nanos.addAndGet(1);
    catalog.expect("orders", 3);
    catalog.refresh(List.of("orders"));
    assertThat(kafka.questions).hasSize(1);

    catalog.expect("orders", 4);
    catalog.refresh(List.of("orders"));
    assertThat(catalog.get("orders")).isEqualTo(new Target.Available(1 << 20, 8));
  }

  @Test
  void aTopicWhoseConfigurationMayNotBeReadHasNoLimit() throws KafkaNotReadyException {
    kafka.withoutConfiguration("orders");

    catalog.refresh(List.of("orders"));

    assertThat(catalog.get("orders")).isEqualTo(new Target.Available(Integer.MAX_VALUE, 1));
  }

  @Test
  void aTopicThatDoesNotExistIsMissing() throws KafkaNotReadyException {
    catalog.refresh(List.of("orders"));

    assertThat(catalog.get("orders")).isEqualTo(new Target.Missing());
  }

  @Test
  void aTopicWhoseNameKafkaRefusesIsMissing() throws KafkaNotReadyException {
    kafka.faulty("orders", new InvalidTopicException("orders"));

    catalog.refresh(List.of("orders"));

    assertThat(catalog.get("orders")).isEqualTo(new Target.Missing());
  }

  @Test
  void aTopicThatMayNotBeSeenIsUnauthorized() throws KafkaNotReadyException {
    kafka.faulty("orders", new TopicAuthorizationException("orders"));

    catalog.refresh(List.of("orders"));

    assertThat(catalog.get("orders")).isEqualTo(new Target.Unauthorized());
  }

  @Test
  void onePartitionWithoutALeaderMakesTheTopicUnavailable() throws KafkaNotReadyException {
    kafka.leaderless("orders", 4, null).leaderless("invoices", 2, Node.noNode());

    catalog.refresh(List.of("orders", "invoices"));

    assertThat(catalog.get("orders"))
        .isEqualTo(new Target.Unavailable("partition 4 of 'orders' has no leader"));
    assertThat(catalog.get("invoices"))
        .isEqualTo(new Target.Unavailable("partition 2 of 'invoices' has no leader"));
  }

  @Test
  void onePartitionWithTooFewInSyncReplicasMakesTheTopicUnavailable()
      throws KafkaNotReadyException {
    kafka.outOfSync("orders", 3, 2);

    catalog.refresh(List.of("orders"));

    assertThat(catalog.get("orders"))
        .isEqualTo(
            new Target.Unavailable("partition 1 of 'orders' has 1 in-sync replicas and needs 2"));
  }

  @Test
  void noMoreInSyncReplicasAreNeededThanThereAre() throws KafkaNotReadyException {
    kafka.outOfSync("orders", 1, 2);

    catalog.refresh(List.of("orders"));

    assertThat(catalog.get("orders")).isInstanceOf(Target.Available.class);
  }

  @Test
  void severalTopicsAreOneQuestion() throws KafkaNotReadyException {
    catalog.refresh(List.of("b", "a", "b"));

    assertThat(kafka.questions).containsExactly(List.of("a", "b"));
  }

  @Test
  void nothingIsAskedWhenNothingIsNeeded() throws KafkaNotReadyException {
    catalog.refresh(List.of());

    assertThat(kafka.questions).isEmpty();
  }

  @Test
  void anAvailableTopicIsAskedAboutAgainAfterHalfAMinute() throws KafkaNotReadyException {
    kafka.available("orders", 1000);
    catalog.refresh(List.of("orders"));

    kafka.nanos.addAndGet(Duration.ofSeconds(30).toNanos());
    catalog.refresh(List.of("orders"));
    assertThat(kafka.questions).hasSize(1);

    kafka.available("orders", 2000).nanos.addAndGet(1);
    catalog.refresh(List.of("orders"));
    assertThat(kafka.questions).hasSize(2);
    assertThat(catalog.get("orders")).isEqualTo(new Target.Available(2000, 1));
  }

  @Test
  void anAnswerAboutAnAvailableTopicIsNotWaitedFor() throws KafkaNotReadyException {
    kafka.available("orders", 1000);
    catalog.refresh(List.of("orders"));

    kafka.faulty("orders", new TimeoutException("no broker"));
    kafka.nanos.addAndGet(Duration.ofSeconds(330).toNanos());
    catalog.refresh(List.of("orders"));

    assertThat(kafka.questions).hasSize(2);
    assertThat(catalog.get("orders")).isEqualTo(new Target.Available(1000, 1));
  }

  /** The topic may be gone, and the producer would wait for each such topic in turn. */
  @Test
  void anAnswerAboutATopicThatWasLongNotNeededIsWaitedFor() throws KafkaNotReadyException {
    kafka.available("orders", 1000);
    catalog.refresh(List.of("orders"));

    kafka.faulty("orders", new TimeoutException("no broker"));
    kafka.nanos.addAndGet(Duration.ofSeconds(330).toNanos() + 1);

    assertThatThrownBy(() -> catalog.refresh(List.of("orders")))
        .isInstanceOf(KafkaNotReadyException.class);
  }

  @Test
  void aFaultyTopicIsAskedAboutAgainAfterASecond() throws KafkaNotReadyException {
    catalog.refresh(List.of("orders"));

    kafka.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    catalog.refresh(List.of("orders"));
    assertThat(kafka.questions).hasSize(1);

    kafka.nanos.addAndGet(1);
    catalog.refresh(List.of("orders"));
    assertThat(kafka.questions).hasSize(2);
  }

  @Test
  void onlyWhatIsNotFreshIsAskedAbout() throws KafkaNotReadyException {
    kafka.available("orders", 1000);
    catalog.refresh(List.of("orders"));

    catalog.refresh(List.of("orders", "invoices"));

    assertThat(kafka.questions).containsExactly(List.of("orders"), List.of("invoices"));
  }

  @Test
  void aTopicIsAskedAboutAgainAfterASendToItFailed() throws KafkaNotReadyException {
    kafka.available("orders", 1000);
    catalog.refresh(List.of("orders"));

    catalog.invalidate("orders");
    catalog.refresh(List.of("orders"));

    assertThat(kafka.questions).hasSize(2);
  }

  @Test
  void aTopicThatAnotherLoopFailedToReachKeepsItsStateUntilItIsAskedAbout()
      throws KafkaNotReadyException {
    kafka.available("orders", 1000);
    catalog.refresh(List.of("orders"));

    catalog.invalidate("orders");

    assertThat(catalog.get("orders")).isEqualTo(new Target.Available(1000, 1));
  }

  @Test
  void kafkaIsNotReadyWhenItDoesNotAnswer() {
    kafka.faulty("orders", new TimeoutException("no broker"));

    assertThatThrownBy(() -> catalog.refresh(List.of("orders")))
        .isInstanceOf(KafkaNotReadyException.class)
        .hasMessageContaining("no broker")
        .hasCauseInstanceOf(TimeoutException.class);
  }

  @Test
  void aTopicThatNobodyAskedAboutIsAnError() {
    assertThatThrownBy(() -> catalog.get("orders"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("orders");
  }
}
