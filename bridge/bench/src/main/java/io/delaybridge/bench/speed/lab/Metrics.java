package io.delaybridge.bench.speed.lab;

import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.ProcessServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The metrics of a bridge, summed over labels and processes.
 *
 * @param values by name
 */
public record Metrics(Map<String, Double> values) {

  /** Copies the values. */
  public Metrics {
    values = Map.copyOf(values);
  }

  /** Returns the current metrics. */
  public static Metrics of(Lane lane) {
    StringBuilder all = new StringBuilder();
    for (ProcessServer process : lane.processes()) {
      if (!(process instanceof BridgeProcess bridge)) {
        throw new IllegalArgumentException(lane.name() + " is not a bridge");
      }
      try (InputStream in = new URL(bridge.adminUri() + "/prometheus").openStream()) {
        all.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return parse(all.toString());
  }

  static Metrics parse(String text) {
    Map<String, Double> values = new HashMap<>();
    text.lines()
        .filter(line -> !line.startsWith("#") && line.contains(" "))
        .forEach(
            line -> {
              String name = line.replaceAll("[{ ].*", "");
              String value = line.replaceAll("\\{.*}", "").split(" ", -1)[1];
              values.merge(name, Double.parseDouble(value), Double::sum);
            });
    return new Metrics(values);
  }

  /** Returns the increase since then. */
  public Metrics since(Metrics before) {
    Map<String, Double> added = new HashMap<>();
    values.forEach((name, value) -> added.put(name, value - before.get(name)));
    return new Metrics(added);
  }

  /** Returns the value, or 0 if there is no metric of that name. */
  public double get(String name) {
    return values.getOrDefault(name, 0.0);
  }

  /** Returns the mean of a histogram. */
  public double mean(String histogram) {
    return get(histogram + "_sum") / Math.max(1, get(histogram + "_count"));
  }
}
