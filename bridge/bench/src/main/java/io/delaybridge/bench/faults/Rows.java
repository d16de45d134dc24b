package io.delaybridge.bench.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every row, in the order of the report. */
final class Rows {

  private Rows() {}

  static List<Row<?>> all() {
    List<Row<?>> all = new ArrayList<>(BridgeRows.all());
    all.addAll(RedisRows.all());
    all.addAll(KafkaRows.all());
    all.addAll(TopologyRows.all());
    return all;
  }

  /** A few of them, small: what is affordable with every build. */
  static List<Row<?>> quick() {
    List<Row<?>> quick = new ArrayList<>();
    for (Map.Entry<String, Double> each :
        Map.of("kill-bridge", 0.02, "flushall-live", 0.1).entrySet()) {
      quick.add(named(each.getKey()).orElseThrow().scaled(each.getValue()));
    }
    return quick;
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
