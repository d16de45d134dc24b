package io.delaybridge.bench.speed;

import static io.delaybridge.bench.speed.Option.BACKLOG;
import static io.delaybridge.bench.speed.Option.BRIDGE_JVM;
import static io.delaybridge.bench.speed.Option.FAR;
import static io.delaybridge.bench.speed.Option.GUARANTEE;
import static io.delaybridge.bench.speed.Option.LOOPS;
import static io.delaybridge.bench.speed.Option.MESSAGES;
import static io.delaybridge.bench.speed.Option.MINUTES;
import static io.delaybridge.bench.speed.Option.PARTITIONS;
import static io.delaybridge.bench.speed.Option.RATES;
import static io.delaybridge.bench.speed.Option.REDIS;
import static io.delaybridge.bench.speed.Option.ROUNDS;
import static io.delaybridge.bench.speed.Option.SIZE;
import static io.delaybridge.bench.speed.Option.TOLERANCES;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * An experiment that can be run.
 *
 * @param options the options that it uses, with their defaults; if a default is a list, several
 *     values are allowed
 */
record Experiment(String name, Body body, Map<Option, String> options) {

  private static final String BOTH = "exactly_once,at_least_once";

  /** All experiments. */
  static final List<Experiment> ALL =
      List.of(
          of("throughput", setup -> new Throughput(setup).run())
              .with(MESSAGES, ROUNDS, LOOPS)
              .with(SIZE, "100,1024")
              .with(GUARANTEE, BOTH),
          of("lateness", setup -> new Late(setup).run())
              .with(SIZE, MESSAGES, ROUNDS, LOOPS)
              .with(GUARANTEE, BOTH),
          of("backlog", setup -> new Backlog(setup).run())
              .with(SIZE, MESSAGES, GUARANTEE, BACKLOG, ROUNDS, LOOPS),
          of("far", setup -> new Far(setup).run())
              .with(GUARANTEE, ROUNDS, LOOPS)
              .with(MESSAGES, "100000")
              .with(SIZE, "1024")
              .with(BACKLOG, "1000000"),
          of("herd", setup -> new Herd(setup).run())
              .with(SIZE, GUARANTEE, ROUNDS, LOOPS)
              .with(MESSAGES, "200000"),
          of("urgent", setup -> new Urgent(setup).run())
              .with(SIZE, MESSAGES, GUARANTEE, ROUNDS, LOOPS),
          of("restart", setup -> new Restart(setup).run())
              .with(SIZE, GUARANTEE, BACKLOG, FAR, ROUNDS, LOOPS),
          of("takeover", setup -> new Takeover(setup).run())
              .with(SIZE)
              .with(GUARANTEE, BOTH)
              .with(ROUNDS, "5"),
          of("cold", setup -> new Cold(setup).run()).with(SIZE, ROUNDS).with(GUARANTEE, BOTH),
          of("pace", setup -> new Pace(setup).run())
              .with(SIZE, LOOPS)
              .with(GUARANTEE, BOTH)
              .with(ROUNDS, "1")
              .with(RATES, "10,50,500,5000")
              .with(TOLERANCES, "0,5,10,20,100"),
          of("scale", setup -> new Scale(setup).run()).with(SIZE, MESSAGES, GUARANTEE, ROUNDS),
          of("soak", setup -> new Soak(setup).run())
              .with(SIZE, MESSAGES, GUARANTEE, LOOPS, MINUTES),
          of("profile", setup -> new Profile(setup).run()).with(SIZE, MESSAGES, GUARANTEE, LOOPS),
          of("others", setup -> new Others(setup).run())
              .with(SIZE, GUARANTEE, ROUNDS, LOOPS)
              .with(MESSAGES, "40000"),
          new Experiment("jmh", setup -> new Micro(setup).run(), Map.of()).with(ROUNDS));

  /** The body of an experiment. */
  interface Body {
    void run(Setup setup) throws Exception;
  }

  /** Copies the options. */
  Experiment {
    options = Map.copyOf(options);
  }

  /** Returns an experiment that runs a bridge on topics. */
  private static Experiment of(String name, Body body) {
    return new Experiment(name, body, Map.of()).with(PARTITIONS, BRIDGE_JVM, REDIS);
  }

  private Experiment with(Option... more) {
    Experiment all = this;
    for (Option option : more) {
      all = all.with(option, option.absent());
    }
    return all;
  }

  private Experiment with(Option option, String value) {
    Map<Option, String> all = new EnumMap<>(Option.class);
    all.putAll(options);
    all.put(option, value);
    return new Experiment(name, body, all);
  }

  /** Returns whether more than one value is allowed. */
  boolean takesSeveral(Option option) {
    return options.getOrDefault(option, "").contains(",");
  }
}
