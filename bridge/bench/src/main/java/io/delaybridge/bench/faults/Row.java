package io.delaybridge.bench.faults;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A row of docs/reliability.md: a fault, and the requirements on the bridge under it. The package
 * documentation says how to add one.
 *
 * @param name name for {@code --only} and for the result files
 * @param title description of the fault in the report
 * @param topology starts the servers
 * @param guarantees guarantees to test, each in its own run
 * @param fault fault to inject
 * @param repeats documented bounds on duplicates, by guarantee; none allowed where it is absent
 * @param settings settings of the bridge that differ, such as {@code delivery.loops}
 * @param traits special properties of the row
 */
record Row<S extends Servers>(
    String name,
    String title,
    Function<Path, S> topology,
    Shape shape,
    Set<Guarantee> guarantees,
    Fault<S> fault,
    Map<Guarantee, Repeats> repeats,
    Map<String, String> settings,
    Set<Trait> traits) {

  Row {
    guarantees = Set.copyOf(guarantees);
    repeats = Map.copyOf(repeats);
    settings = Map.copyOf(settings);
    traits = Set.copyOf(traits);
  }

  /** Returns a row for both guarantees that allows no duplicates. */
  static <S extends Servers> Row<S> of(
      String name, String title, Function<Path, S> topology, Shape shape, Fault<S> fault) {
    return new Row<>(
        name,
        title,
        topology,
        shape,
        Set.of(Guarantee.values()),
        fault,
        Map.of(),
        Map.of(),
        Set.of());
  }

  /** Returns the row with a documented bound on duplicates for at-least-once delivery. */
  Row<S> atLeastOnceRepeats(Repeats most) {
    return repeats(Guarantee.AT_LEAST_ONCE, most);
  }

  /** Returns the row with a documented bound on duplicates for this guarantee. */
  Row<S> repeats(Guarantee guarantee, Repeats most) {
    Map<Guarantee, Repeats> all = new java.util.EnumMap<>(Guarantee.class);
    all.putAll(repeats);
    all.put(guarantee, most);
    return new Row<>(name, title, topology, shape, guarantees, fault, all, settings, traits);
  }

  /** Returns the row for these guarantees only. */
  Row<S> only(Guarantee... some) {
    return new Row<>(name, title, topology, shape, Set.of(some), fault, repeats, settings, traits);
  }

  /** Returns the row with one more setting of the bridge. */
  Row<S> with(String key, String value) {
    Map<String, String> all = new java.util.TreeMap<>(settings);
    all.put(key, value);
    return new Row<>(name, title, topology, shape, guarantees, fault, repeats, all, traits);
  }

  /** Returns the row with a fraction of its messages and injections, if it can be scaled. */
  Row<S> scaled(double scale) {
    if (has(Trait.WHOLE)) {
      return this;
    }
    return new Row<>(
        name, title, topology, shape.scaled(scale), guarantees, fault, repeats, settings, traits);
  }

  /** Returns the row with one injection and its share of the messages. */
  Row<S> single() {
    return scaled(1.0 / shape.injections());
  }

  /** Returns the row with this trait. */
  Row<S> having(Trait trait) {
    Set<Trait> all = new java.util.HashSet<>(traits);
    all.add(trait);
    return new Row<>(name, title, topology, shape, guarantees, fault, repeats, settings, all);
  }

  boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** Returns an empty ledger for a run of this row. */
  Ledger ledger(long seed, int messages) {
    return new Ledger(seed, messages, shape.delay().toMillis(), has(Trait.PLAIN));
  }

  /** Returns additional arguments for the JVMs of the bridges. */
  List<String> jvm(Path dir) {
    return has(Trait.AGENT) ? AgentJar.arguments(dir) : List.of();
  }

  /** Returns the documented bound on duplicates. */
  Repeats repeats(Guarantee guarantee) {
    return repeats.getOrDefault(guarantee, Repeats.NONE);
  }
}
