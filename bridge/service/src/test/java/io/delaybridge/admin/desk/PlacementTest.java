package io.delaybridge.admin.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.admin.Problem;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.intake.Letter;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import io.delaybridge.store.PendingView.Said;
import io.delaybridge.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlacementTest {

  private static final int PARTITIONS = 4;
  private static final String ID = "a";
  private static final int HOME = IntakeWriter.partitionOf(ID, PARTITIONS);
  private static final int OTHER = (HOME + 1) % PARTITIONS;
  private static final int THIRD = (HOME + 2) % PARTITIONS;

  private final List<Said> said = new ArrayList<>();
  private final List<Found> stored = new ArrayList<>();
  private boolean isStoreAway;
  private int born = PARTITIONS;
  private final Placement placement =
      new Placement(
          Fakes.fake(PendingView.class, this::store),
          new ShardDirectory(
              Fakes.fake(Admin.class, this::kafka), "g", List.of("in"), Duration.ofSeconds(1)));

  @Test
  void anIdThatIsPendingNowhereGoesHome() {
    assertThat(place()).isEqualTo(HOME);
  }

  @Test
  void anIdGoesWhereItIsPending() {
    pending(OTHER);

    assertThat(place()).isEqualTo(OTHER);
  }

  /** Its copy comes back to that partition, and must find that it was replaced. */
  @Test
  void anIdGoesWhereItsMessageIsOnItsWayBackToTheIntake() {
    said.add(said(OTHER, false));

    assertThat(place()).isEqualTo(OTHER);
  }

  @Test
  void anIdGoesWhereItsMessageIsFar() {
    said.add(said(HOME, false));
    said.add(said(OTHER, true));

    assertThat(place()).isEqualTo(OTHER);
  }

  @Test
  void whatWasDeliveredInAnotherPartitionDoesNotCount() {
    said.add(said(OTHER, false));
    pending(THIRD);

    assertThat(place()).isEqualTo(THIRD);
  }

  @Test
  void anIdThatIsPendingInTwoPartitionsIsRefused() {
    pending(HOME);
    pending(OTHER);

    assertThatThrownBy(this::place)
        .isInstanceOfSatisfying(
            Problem.class,
            e -> assertThat(String.valueOf(e.getResponse().getEntity())).contains("AMBIGUOUS"));
  }

  @Test
  void whileTheStoreIsAwayAnIdGoesHomeIfTheIntakeHasNotGrown() {
    isStoreAway = true;

    assertThat(place()).isEqualTo(HOME);
  }

  @Test
  void whileTheStoreIsAwayNobodyKnowsThePlaceOfAnIdIfTheIntakeHasGrown() {
    isStoreAway = true;
    born = PARTITIONS / 2;

    assertThatThrownBy(this::place)
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.getResponse().getStatus()).isEqualTo(503));
  }

  @Test
  void whatHasNoIdOrHasItsPartitionStaysAsItIs() {
    Letter plain = new Letter("in", null, null, null, Map.of());
    Letter placed = new Letter("in", OTHER, null, null, Map.of(DelayHeaders.ID, ID));

    assertThat(placement.placed(plain)).isSameAs(plain);
    assertThat(placement.placed(placed)).isSameAs(placed);
  }

  private @Nullable Integer place() {
    return placement
        .placed(new Letter("in", null, null, null, Map.of(DelayHeaders.ID, ID)))
        .partition();
  }

  private void pending(int partition) {
    said.add(said(partition, false));
    stored.add(
        new Found(
            new ShardId("in", partition),
            new DelayedMessage(new Due(1, 1), Contents.with(DelayHeaders.ID, ID)),
            1));
  }

  private static Said said(int partition, boolean isFar) {
    return new Said(new ShardId("in", partition), 1, isFar, 0);
  }

  private Object store(String method, Object[] arguments) {
    if (isStoreAway) {
      throw new StoreException("Redis does not answer", new IllegalStateException());
    }
    return switch (method) {
      case "said" -> said;
      case "byId" -> stored;
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private Object kafka(String method, Object[] arguments) throws Exception {
    return switch (method) {
      case "describeTopics" -> Fakes.topic("in", PARTITIONS);
      case "listConsumerGroupOffsets" ->
          Fakes.committed(
              Map.of(
                  new TopicPartition("in", 0), new OffsetAndMetadata(1, "v1|t|1||0:1000|" + born)));
      default -> throw new UnsupportedOperationException(method);
    };
  }
}
