package io.delaybridge.bench.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All rows, in the order of the report. */
final class Rows {

  private Rows() {}

  static List<Row<?>> all() {
    List<Row<?>> all = new ArrayList<>(BridgeRows.all());
    all.addAll(RedisRows.all());
    all.addAll(KafkaRows.all());
    all.addAll(TopologyRows.all());
    all.addAll(LoadRows.all());
    all.addAll(MixedRows.all());
    all.addAll(OperatorRows.all());
    return all;
  }

  /** Returns a few rows, scaled down so that every build can run them. */
  static List<Row<?>> quick() {
    return List.of(
        quick("kill-bridge", 0.02).only(Guarantee.EXACTLY_ONCE),
        quick("halt", 0.02).only(Guarantee.EXACTLY_ONCE),
        quick("flushall-live", 0.1).only(Guarantee.EXACTLY_ONCE),
        quick("clock", 0.1).only(Guarantee.EXACTLY_ONCE),
        quick("redis-truncated", 0.05).only(Guarantee.AT_LEAST_ONCE));
  }

  private static Row<?> quick(String name, double scale) {
    return named(name).orElseThrow().scaled(scale);
  }

  static Optional<Row<?>> named(String name) {
    for (Row<?> row : all()) {
      if (row.name().equals(name)) {
        return Optional.of(row);
      }
    }
    return Optional.empty();
  }
}
