package io.delaybridge.shard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The facts of one log that readers of committed records see, found by offset, unit, id and name.
 * Each map is by offset. Records are added as they are committed, so that a question costs no more
 * in a long log than in a short one.
 */
final class FactIndex {

  private static final NavigableMap<Long, Fact> NOTHING = Collections.emptyNavigableMap();

  private final SimLog log;
  private final long horizon;
  private final Predicate<Fact> acts;
  private int read;
  private long version = -1;

  private final NavigableMap<Long, Fact> all = new TreeMap<>();
  private final NavigableMap<Long, NavigableMap<Long, Fact>> byUnit = new TreeMap<>();
  private final Map<String, NavigableMap<Long, Fact>> byId = new HashMap<>();
  private final Map<String, NavigableMap<Long, Fact>> fromUsers = new HashMap<>();
  private final Map<String, NavigableMap<Long, Fact>> messages = new HashMap<>();
  private final Map<String, NavigableMap<Long, Fact>> asks = new HashMap<>();
  private final NavigableMap<Long, Fact> far = new TreeMap<>();
  private final NavigableMap<Long, Fact> unsettled = new TreeMap<>();

  /** All replacements of far messages, those that do nothing included. */
  private final NavigableMap<Long, Fact> insteads = new TreeMap<>();

  /** Replacements behind an open transaction: whether they act is not certain yet. */
  private final NavigableMap<Long, Fact> undecided = new TreeMap<>();

  /**
   * @param horizon milliseconds after which a message is far, 0 if none is
   * @param acts whether a replacement acts, by the facts before it
   */
  FactIndex(SimLog log, long horizon, Predicate<Fact> acts) {
    this.log = log;
    this.horizon = horizon;
    this.acts = acts;
  }

  /** Returns the log as a text that is equal for equal logs. */
  String dump() {
    return log.dump();
  }

  NavigableMap<Long, Fact> all() {
    refresh();
    return all;
  }

  /** Returns the facts of that unit. */
  NavigableMap<Long, Fact> ofUnit(long unit) {
    return of(byUnit, unit);
  }

  /** Returns the facts of all units of that origin, in log order. */
  List<Fact> ofOrigin(long origin) {
    refresh();
    List<Fact> facts = new ArrayList<>();
    byUnit
        .subMap(Fact.unit(origin, 0), Fact.unit(origin + 1, 0))
        .values()
        .forEach(unit -> facts.addAll(unit.values()));
    facts.sort(Comparator.comparingLong(Fact::offset));
    return facts;
  }

  /** Returns the facts with that id. */
  NavigableMap<Long, Fact> ofId(String id) {
    return of(byId, id);
  }

  /** Returns the messages and cancels of users with that id. */
  NavigableMap<Long, Fact> ofUsers(String id) {
    return of(fromUsers, id);
  }

  /** Returns the messages that asks call by that name. */
  NavigableMap<Long, Fact> messages(String name) {
    return of(messages, name);
  }

  /** Returns the asks that name a message so. */
  NavigableMap<Long, Fact> asks(String name) {
    return of(asks, name);
  }

  /** Returns all asks that name a message. */
  Collection<NavigableMap<Long, Fact>> asks() {
    refresh();
    return asks.values();
  }

  /** Returns the messages that leave for the later topic at once. */
  Collection<Fact> far() {
    refresh();
    return far.values();
  }

  /** Returns the facts that were not settled so far, and lets the caller remove some. */
  NavigableMap<Long, Fact> unsettled() {
    refresh();
    return unsettled;
  }

  /**
   * Returns the replacements of far messages at that offset and behind it, and those in open
   * transactions.
   */
  List<Fact> insteads(long from) {
    refresh();
    return Stream.concat(
            insteads.tailMap(from).values().stream(),
            log.open().stream()
                .map(record -> Fact.of(record, horizon))
                .filter(fact -> fact.instead() >= 0))
        .toList();
  }

  private <K> NavigableMap<Long, Fact> of(Map<K, NavigableMap<Long, Fact>> index, K key) {
    refresh();
    return index.getOrDefault(key, NOTHING);
  }

  private void refresh() {
    if (version == log.version()) {
      return;
    }
    version = log.version();
    List<ConsumerRecord<byte[], byte[]>> committed = log.committed();
    for (; read < committed.size(); read++) {
      Fact fact = Fact.of(committed.get(read), horizon);
      if (fact.instead() < 0) {
        places(fact).forEach(place -> place.put(fact.offset(), fact));
      } else {
        insteads.put(fact.offset(), fact);
        undecided.put(fact.offset(), fact);
      }
    }
    List.copyOf(undecided.values()).forEach(this::decide);
  }

  /** Looks whether the replacement acts, by what is known now. */
  private void decide(Fact instead) {
    boolean acted = all.containsKey(instead.offset());
    if (acts.test(instead)) {
      places(instead).forEach(place -> place.put(instead.offset(), instead));
    } else if (acted) {
      places(instead).forEach(place -> place.remove(instead.offset()));
      // Something may have passed for replaced.
      unsettled.putAll(all);
    }
    if (instead.offset() < log.lastStable()) {
      undecided.remove(instead.offset());
    }
  }

  /** Returns the maps that the fact belongs in. */
  private List<NavigableMap<Long, Fact>> places(Fact fact) {
    List<NavigableMap<Long, Fact>> places = new ArrayList<>();
    places.add(all);
    places.add(unsettled);
    places.add(byUnit.computeIfAbsent(fact.unit(), key -> new TreeMap<>()));
    String id = fact.id();
    if (id != null) {
      places.add(byId.computeIfAbsent(id, key -> new TreeMap<>()));
    }
    if (id != null && fact.isFromUser()) {
      places.add(fromUsers.computeIfAbsent(id, key -> new TreeMap<>()));
    }
    if (fact.isMessage()) {
      places.add(messages.computeIfAbsent(fact.name(), key -> new TreeMap<>()));
    }
    if (fact.isFar()) {
      places.add(far);
    }
    String named = fact.named();
    if (named != null) {
      places.add(asks.computeIfAbsent(named, key -> new TreeMap<>()));
    }
    return places;
  }
}
