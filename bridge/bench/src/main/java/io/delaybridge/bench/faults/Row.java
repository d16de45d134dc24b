package io.delaybridge.bench.faults;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * One row of docs/reliability.md: a fault, and what is expected of the bridge under it. See the
 * package for how to add one.
 *
 * @param name what {@code --only} knows it by; also names its results
 * @param title the fault, as the report has it
 * @param topology starts the servers
 * @param guarantees each one is a run of its own
 * @param fault what goes wrong
 * @param repeats how many duplicates are documented for it, by guarantee; none where it is absent
 * @param settings lines of the bridge's configuration that differ, as {@code delivery.loops}
 * @param traits what is special about it
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

  /** A row for both guarantees that allows no duplicate in either. */
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

  /** The same with a documented number of duplicates when messages are delivered at least once. */
  Row<S> atLeastOnceRepeats(Repeats most) {
    return repeats(Guarantee.AT_LEAST_ONCE, most);
  }

  /** The same with a documented number of duplicates for this guarantee. */
  Row<S> repeats(Guarantee guarantee, Repeats most) {
    Map<Guarantee, Repeats> all = new java.util.EnumMap<>(Guarantee.class);
    all.putAll(repeats);
    all.put(guarantee, most);
    return new Row<>(name, title, topology, shape, guarantees, fault, all, settings, traits);
  }

  /** The same for these guarantees only. */
  Row<S> only(Guarantee... some) {
    return new Row<>(name, title, topology, shape, Set.of(some), fault, repeats, settings, traits);
  }

  /** The same with one more line of the bridge's configuration. */
  Row<S> with(String key, String value) {
    Map<String, String> all = new java.util.TreeMap<>(settings);
    all.put(key, value);
    return new Row<>(name, title, topology, shape, guarantees, fault, repeats, all, traits);
  }

  /** The same with a share of its messages and injections, if that makes sense. */
  Row<S> scaled(double scale) {
    if (has(Trait.WHOLE)) {
      return this;
    }
    return new Row<>(
        name, title, topology, shape.scaled(scale), guarantees, fault, repeats, settings, traits);
  }

  /** The same with one injection and what would come with it. */
  Row<S> single() {
    return scaled(1.0 / shape.injections());
  }

  /** The same with this trait. */
  Row<S> having(Trait trait) {
    Set<Trait> all = new java.util.HashSet<>(traits);
    all.add(trait);
    return new Row<>(name, title, topology, shape, guarantees, fault, repeats, settings, all);
  }

  boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** For a run of it that is still to be sent. */
  Ledger ledger(long seed, int messages) {
    return new Ledger(seed, messages, shape.delay().toMillis(), has(Trait.PLAIN));
  }

  /** More arguments of the bridges' JVMs. */
  List<String> jvm(Path dir) {
    return has(Trait.AGENT) ? AgentJar.arguments(dir) : List.of();
  }

  /** How many duplicates are documented. */
  Repeats repeats(Guarantee guarantee) {
    return repeats.getOrDefault(guarantee, Repeats.NONE);
  }
}
