package io.delaybridge.bench.faults;

import io.delaybridge.bench.faults.agent.Point;
import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The fault that halts a bridge at each point of its code in turn. */
final class Halts {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int MOST_PASSES = 5;
  private static final int MOST_MISSES = 5;

  private final Set<Point.Group> left;
  private int misses;

  /** Uses the points that are in none of these groups. */
  private Halts(Set<Point.Group> left) {
    this.left = left;
  }

  /**
   * Returns the fault for all points except those that require far messages or messages that are
   * due when they are read.
   */
  static Halts ordinary() {
    return new Halts(EnumSet.of(Point.Group.DUE_WHEN_READ, Point.Group.LAP, Point.Group.RECALL));
  }

  /** Returns the fault for the points of a turn. */
  static Halts ofTheTurn() {
    return new Halts(
        EnumSet.of(Point.Group.ACQUIRE, Point.Group.LEAVE, Point.Group.LAP, Point.Group.RECALL));
  }

  /** Returns the fault for the points that a bridge reaches only with far messages. */
  static Halts ofLaps() {
    return new Halts(EnumSet.complementOf(EnumSet.of(Point.Group.LAP, Point.Group.RECALL)));
  }

  /** Returns the points that a bridge with this guarantee reaches. */
  List<Point> points(Guarantee guarantee) {
    Point.Group other =
        guarantee == Guarantee.EXACTLY_ONCE ? Point.Group.AT_LEAST_ONCE : Point.Group.EXACTLY_ONCE;
    return Arrays.stream(Point.values())
        .filter(point -> point.group() != other && !left.contains(point.group()))
        .toList();
  }

  boolean halt(World<Single> world, RandomGenerator random) {
    List<Point> points = points(world.guarantee());
    Point point = points.get(world.noted() % points.size());
    BridgeProcess bridge = world.fleet().any(random);
    String order = "halt %s %d".formatted(point, misses > 0 ? 1 : 1 + random.nextInt(MOST_PASSES));
    switch (point.group()) {
      case TURN, EXACTLY_ONCE, AT_LEAST_ONCE, DUE_WHEN_READ, LAP ->
          world.fleet().order(bridge, order);
      case ACQUIRE -> {
        bridge.kill();
        // There are few shards: the bridge might never reach a high number of passes.
        world.fleet().order(bridge, "halt " + point + " 1");
        bridge.start();
      }
      case RECALL -> {
        world.fleet().order(bridge, "halt " + point + " 1");
        world.servers().redis("FLUSHALL");
      }
      case LEAVE -> {
        world.fleet().order(bridge, "halt " + point + " 1");
        BridgeProcess other =
            world.fleet().all().stream().filter(each -> each != bridge).findFirst().orElseThrow();
        other.stop();
        other.start();
      }
    }
    boolean halted = Wait.upTo(LIMIT, () -> !bridge.isAlive());
    world.fleet().order(bridge, "");
    world.fleet().start();
    if (halted) {
      misses = 0;
      world.note(point.name().toLowerCase(Locale.ROOT));
    } else if (++misses > MOST_MISSES) {
      throw new FaultsException("no bridge comes by " + point);
    }
    return halted;
  }
}
