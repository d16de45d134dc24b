package io.delaybridge.shard;

import io.delaybridge.shard.Judge.Violation;
import io.delaybridge.shard.SimDelivery.Fault;
import io.delaybridge.shard.SimWorld.Savepoint;
import io.delaybridge.shard.SimWorld.Worker;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.SimStore.Call;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every course of a small world: one shard, the few records of a {@link Story}, two workers. The
 * search is breadth first and replays lists of choices. It does not continue from a world that it
 * has seen before. From every new world, it checks that all ends well if nothing else goes wrong.
 */
final class SmallScope {

  /**
   * Limits on the faults of one run.
   *
   * @param take most messages of a take
   * @param rollBacks of the store, to any former state; in a far story, to an empty store
   * @param faults of any kind, in total
   */
  record Bounds(
      int take, Story story, int rollBacks, int evictions, int fences, int others, int faults) {}

  private record Node(List<Integer> choices, int steps) {}

  private final Bounds bounds;
  private final SimWiring wiring;
  private final Set<String> seen = new HashSet<>();
  private long runs;

  SmallScope(Bounds bounds, SimWiring wiring) {
    this.bounds = bounds;
    this.wiring = wiring;
  }

  int states() {
    return seen.size();
  }

  long runs() {
    return runs;
  }

  /** Throws a {@link Violation} with what led to it. */
  void explore() {
    Deque<Node> open = new ArrayDeque<>();
    open.add(new Node(List.of(), 0));
    while (!open.isEmpty()) {
      Node node = open.remove();
      @Nullable List<Integer> script = node.choices;
      while (script != null) {
        Script chance = new Script(script);
        Run run = new Run(chance, false);
        runs++;
        try {
          run.steps(node.steps + 1);
          List<Integer> taken = List.copyOf(chance.taken);
          if (seen.add(run.dump())) {
            open.add(new Node(taken, node.steps + 1));
            run.end();
          }
        } catch (Violation e) {
          throw new Violation(e.getMessage() + "\n" + told(chance.taken, node.steps + 1));
        }
        script = chance.next(node.choices.size());
      }
    }
  }

  private String told(List<Integer> choices, int steps) {
    Run run = new Run(new Script(List.copyOf(choices)), true);
    try {
      run.steps(steps);
      run.end();
      return "and it cannot be replayed";
    } catch (Violation e) {
      return String.join("\n", run.world.events);
    }
  }

  /** Follows a list of choices, then always takes the first; records the number of options. */
  private static final class Script implements Chance {
    private final List<Integer> script;
    final List<Integer> taken = new ArrayList<>();
    private final List<Integer> of = new ArrayList<>();

    Script(List<Integer> script) {
      this.script = script;
    }

    @Override
    public int below(int bound) {
      int at = taken.size();
      int choice = at < script.size() ? script.get(at) : 0;
      taken.add(choice);
      of.add(bound);
      return choice;
    }

    /** Returns the next list of choices with the same first ones, or null if this was the last. */
    @Nullable List<Integer> next(int fixed) {
      for (int i = of.size() - 1; i >= fixed; i--) {
        if (taken.get(i) + 1 < of.get(i)) {
          List<Integer> next = new ArrayList<>(taken.subList(0, i));
          next.add(taken.get(i) + 1);
          return next;
        }
      }
      return null;
    }
  }

  private final class Run {
    final SimWorld world;
    private final Chance chance;
    private int rollBacks = bounds.rollBacks;
    private int evictions = bounds.evictions;
    private int fences = bounds.fences;
    private int others = bounds.others;
    private int faults = bounds.faults;
    private int written;
    private boolean ending;

    Run(Chance chance, boolean tells) {
      this.chance = chance;
      SimWorld.Setup setup =
          new SimWorld.Setup(
              true,
              bounds.take,
              bounds.story.isFar() ? Duration.ZERO : Duration.ofHours(1),
              IntakeStart.EARLIEST,
              false,
              bounds.story.far(),
              0);
      world = new SimWorld(wiring, setup);
      world.tells = tells;
      world.start("A", Between::new);
      if (bounds.evictions > 0) {
        // A owns the shard, B waits.
        world.start("B", Between::new);
      }
      ending = true;
      world.workers.forEach(this::turn);
      world.workers.forEach(this::turn);
      ending = false;
    }

    void steps(int steps) {
      for (int i = 0; i < steps; i++) {
        step();
      }
    }

    private void step() {
      List<Runnable> ways = new ArrayList<>();
      world.workers.forEach(worker -> ways.add(() -> turn(worker)));
      if (written < bounds.story.records().size()) {
        ways.add(this::write);
      }
      bounds.story.instants().stream()
          .map(instant -> SimWorld.START + instant)
          .filter(instant -> instant > world.clock.millis())
          .findFirst()
          .ifPresent(next -> ways.add(() -> world.clock.set(next)));
      long needed = bounds.story.isFar() ? world.neededFrom(RuleTest.P0) : 0;
      if (needed > world.kafka.log(RuleTest.P0).start()) {
        ways.add(() -> world.forget(RuleTest.P0, needed));
      }
      if (evictions > 0 && faults > 0) {
        world.workers.stream().filter(this::owns).forEach(each -> ways.add(() -> evict(each)));
      }
      world.workers.forEach(worker -> fences(worker, ways));
      rollBacks(ways);
      chance.of(ways).run();
    }

    private void fences(Worker worker, List<Runnable> ways) {
      if (fences > 0 && faults > 0) {
        ways.add(() -> fence(worker));
      }
    }

    private void fence(Worker worker) {
      fences--;
      faults--;
      world.tell("%s is fenced", worker.name);
      worker.bridge.delivery.fence();
    }

    private void rollBacks(List<Runnable> ways) {
      if (rollBacks == 0 || faults == 0) {
        return;
      }
      Set<String> known = new HashSet<>();
      known.add(world.store.dump(RuleTest.id(RuleTest.P0)));
      for (Savepoint each : world.past) {
        boolean loss = each.fedTo() == ShardStore.ABSENT;
        if ((loss || !bounds.story.isFar()) && known.add(each.dump())) {
          ways.add(
              () -> {
                rollBacks--;
                faults--;
                world.rollBack(each);
              });
        }
      }
    }

    private void turn(Worker worker) {
      world.clock.pass(Duration.ofSeconds(3));
      worker.turn();
    }

    private void write() {
      Map<String, String> headers = bounds.story.records().get(written++);
      world.tell("%s is written", headers);
      world.kafka.append(Workload.record(RuleTest.P0, headers, false), false);
    }

    private boolean owns(Worker worker) {
      return world.kafka.group().planned(worker.bridge.consumer).contains(RuleTest.P0);
    }

    private void evict(Worker worker) {
      evictions--;
      faults--;
      world.tell("%s is evicted", worker.name);
      world.kafka.group().evict(worker.bridge.consumer);
    }

    /** Plays a run without faults to its end. */
    void end() {
      ending = true;
      world.tell("from here on nothing goes wrong");
      world.clock.set(bounds.story.end());
      while (written < bounds.story.records().size()) {
        write();
      }
      for (int i = 0; i < 12 && !(i > 1 && world.isIdle()); i++) {
        // Long enough that every shard is looked at, although nothing is known to be due.
        world.clock.pass(Duration.ofHours(2));
        world.workers.forEach(this::turn);
        // A lap that failed is tried again after a second.
        world.clock.set(world.clock.millis() + (bounds.story.isFar() ? 1_000 : 0));
      }
      world.judge.end();
    }

    /** Returns a text that is equal for worlds with the same possible courses. */
    String dump() {
      Set<String> past = new java.util.TreeSet<>();
      if (rollBacks > 0 && faults > 0 && !bounds.story.isFar()) {
        world.past.forEach(each -> past.add(each.dump()));
      }
      StringBuilder text = new StringBuilder();
      text.append(world.clock.millis()).append(' ').append(written);
      text.append(' ')
          .append(rollBacks)
          .append(evictions)
          .append(fences)
          .append(others)
          .append(faults);
      text.append(world.kafka.group().dump());
      text.append(world.store.dump(RuleTest.id(RuleTest.P0))).append(past);
      text.append(world.judge.ledger(0).out);
      if (bounds.story.isFar()) {
        text.append(world.owner(RuleTest.P0)).append(world.judge.ledger(0).dump());
      }
      world.workers.forEach(worker -> text.append(worker.bridge.dump()));
      return text.toString();
    }

    /**
     * Lets the same events happen between the steps of a turn, and lets the other worker be
     * quicker.
     */
    private final class Between implements Meddler {
      private final Worker worker;

      Between(Worker worker) {
        this.worker = worker;
      }

      private void meddle(String point) {
        if (ending) {
          return;
        }
        List<Runnable> ways = new ArrayList<>();
        ways.add(() -> {});
        rollBacks(ways);
        if (evictions > 0 && faults > 0 && owns(worker)) {
          ways.add(() -> sleep(point));
        }
        fences(worker, ways);
        if (faults > 0) {
          ways.add(this::crash);
        }
        chance.of(ways).run();
      }

      /**
       * Evicts the worker without its knowledge; the other one takes some turns before it
       * continues.
       */
      private void sleep(String point) {
        world.tell("%s sleeps at %s", worker.name, point);
        evict(worker);
        int turns = chance.below(others + 1);
        for (int i = 0; i < turns; i++) {
          others--;
          world.workers.forEach(Run.this::turn);
        }
      }

      private void crash() {
        faults--;
        throw new Crash();
      }

      @Override
      public Fate before(Call call) {
        switch (call) {
          case INGEST, TAKE, SETTLE, RECALL, COMPLETE, JUDGE -> meddle("before " + call);
          default -> {}
        }
        return Fate.TAKES_EFFECT;
      }

      @Override
      public @Nullable Fault beforeDelivery() {
        meddle("the beginning of a delivery");
        if (ending || faults == 0) {
          return null;
        }
        Fault fault =
            switch (chance.below(3)) {
              case 1 -> Fault.UNKNOWN_COMMITTED;
              case 2 -> Fault.UNKNOWN_ABORTED;
              default -> null;
            };
        if (fault != null) {
          faults--;
        }
        return fault;
      }

      @Override
      public void beforeCommit() {
        meddle("a commit");
      }
    }
  }
}
