package io.delaybridge.bench.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** Rows with actions of an operator, after some of which a bridge must not continue silently. */
final class OperatorRows {

  private static final int SOME = 100;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private int sides;

  private OperatorRows() {}

  static List<Row<?>> all() {
    return List.of(
        row(
                "checkpoint-deleted",
                "checkpoints deleted after SIGKILL of all bridges",
                OperatorRows::deleteCheckpoints)
            .having(Trait.CHECKPOINTS_LOST)
            .repeats(Guarantee.EXACTLY_ONCE, Repeats.TURN)
            .repeats(Guarantee.AT_LEAST_ONCE, Repeats.TURN),
        row(
            "intake-recreated",
            "intake deleted and created anew: stops and says so",
            new OperatorRows()::recreate),
        row(
            "retention-short",
            "retention too short, or records deleted before they were stored: stops and says so",
            new OperatorRows()::deleteRecords));
  }

  private static Row<Single> row(String name, String title, Fault<Single> fault) {
    return Row.of(
        name,
        title,
        Single::start,
        new Shape(10_000, 5, 1, 4, Duration.ofSeconds(1), Duration.ofSeconds(6)),
        fault);
  }

  private static boolean deleteCheckpoints(World<Single> world, RandomGenerator random) {
    world.fleet().kill();
    Set<TopicPartition> all = Set.copyOf(Intake.partitions(world.partitions()));
    Wait.until("the group to be empty", LIMIT, () -> deleted(world, all));
    world.fleet().start();
    return true;
  }

  private static boolean deleted(World<Single> world, Set<TopicPartition> partitions) {
    try {
      World.await(world.admin().deleteConsumerGroupOffsets(BridgeConfig.GROUP, partitions).all());
      return true;
    } catch (FaultsException e) {
      // Dead members stay in the group until their session expires.
      return false;
    }
  }

  /** Recreates an intake, at random while the bridge runs or while it is stopped. */
  private boolean recreate(World<Single> world, RandomGenerator random) {
    boolean running = random.nextBoolean();
    try (Side side = new Side(world, sides++)) {
      side.startHealthy("intake.start", "ask");
      side.send(SOME);
      side.awaitArrivals(SOME);
      if (!running) {
        side.bridge().stop();
      }
      side.recreate();
      side.send(SOME);
      if (!running) {
        side.start("intake.start", "ask");
      }
      side.expectHealth("the intake now has id");
      side.expectArrivals(SOME);
      side.bridge().stop();
      side.forget();
      side.start("intake.start", "earliest");
      side.awaitArrivals(2 * SOME);
    }
    world.note(running ? "while it ran" : "while it was stopped");
    return true;
  }

  /** At random, either shortens the retention time or deletes records. */
  private boolean deleteRecords(World<Single> world, RandomGenerator random) {
    boolean refuses = random.nextBoolean();
    try (Side side = new Side(world, sides++)) {
      side.startHealthy("intake.start", "ask");
      side.send(SOME);
      side.awaitArrivals(SOME);
      side.bridge().stop();
      if (refuses) {
        side.retain("60000");
        side.start("intake.start", "ask");
        side.expectEnd("has retention.ms 60000, needed: at least");
      } else {
        side.send(SOME);
        World.await(
            world
                .admin()
                .deleteRecords(Map.of(side.intake(), RecordsToDelete.beforeOffset(SOME + SOME / 2)))
                .all());
        side.start("intake.start", "ask");
        side.expectHealth("were deleted before they were stored");
        side.expectArrivals(SOME);
      }
    }
    world.note(refuses ? "retention" : "records deleted");
    return true;
  }
}
