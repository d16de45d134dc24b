package io.delaybridge.deadletter.replay;

import io.delaybridge.schemas.StoredHeader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a replay changes in the headers of a record.
 *
 * @param removed names of headers that it takes away
 * @param given headers that take the place of all those with their names
 */
public record HeaderChanges(Set<String> removed, List<StoredHeader> given) {

  static final HeaderChanges NONE = new HeaderChanges(Set.of(), List.of());

  /** Copies both. */
  public HeaderChanges {
    removed = Set.copyOf(removed);
    given = List.copyOf(given);
  }

  boolean isEmpty() {
    return removed.isEmpty() && given.isEmpty();
  }

  /** The names of all headers that change. */
  Set<String> names() {
    Set<String> names = new HashSet<>(removed);
    names.addAll(givenNames());
    return names;
  }

  Set<String> givenNames() {
    return given.stream().map(StoredHeader::name).collect(Collectors.toSet());
  }
}
