package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.lab.Checklist;
import io.delaybridge.bench.speed.lab.OpenLoop;
import io.delaybridge.bench.speed.lab.OpenLoop.Lateness;
import io.delaybridge.bench.speed.lab.Station;
import io.delaybridge.stack.JavaProcess;
import io.delaybridge.stack.Resources;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Utils;

/**
 * A comparison of the bridge, Redisson's delayed queue on the same Redis, and ActiveMQ Artemis,
 * which take turns. All carry values of the same size. The messages of the bridge also have a key
 * and the headers for target and due time. Scheduling ends when a message is where it waits: for
 * the bridge that is Redis, through Kafka. A drain lasts from the due time to the last message that
 * one consumer receives. No system syncs to the disk for each message: Kafka leaves that to the
 * operating system, Redis syncs every second, and the journal of Artemis is configured not to.
 * Artemis runs in the JVM of its own client and thus needs no network. All have the same warm-up.
 * The bridge has one more before the first round, since a Kafka broker runs for a long time. The
 * remains of a round do not affect the next. The programs of the others are in the module {@code
 * others}.
 */
final class Others {

  private static final String PROGRAMS = "io.delaybridge.bench.others.";
  private static final Duration LENGTH = Duration.ofSeconds(20);
  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final long DRAIN_LEAD_MS = 2_000;
  private static final int STORED_IN_A_MS = 5;
  private static final List<String> FIGURES =
      List.of("schedule", "drain", "p50", "p99", "p99.9", "bytes");

  private final Setup setup;
  private final int size;
  private final int messages;
  private long leadMs;
  private final Map<String, Series> values = new LinkedHashMap<>();

  Others(Setup setup) {
    this.setup = setup;
    this.size = setup.options().size();
    this.messages = setup.options().messages();
    this.leadMs = DRAIN_LEAD_MS + messages / STORED_IN_A_MS;
  }

  void run() throws IOException {
    // The broker runs through all rounds, as it does in real use.
    setup.line("warm-up of the broker: %s", bridge(0));
    for (int round = 1; round <= setup.options().rounds(); round++) {
      keep(round, "bridge, " + setup.options().guarantee().words(), bridge(round));
      keep(round, "Redisson", program(round, "RedissonRival", setup.lab().redis().uri()));
      Path artemis = setup.lab().dir().resolve("artemis-" + round);
      keep(round, "Artemis", program(round, "ArtemisRival", artemis.toString()));
      Utils.delete(artemis.toFile());
    }
    values.forEach(
        (who, figures) ->
            FIGURES.forEach(name -> setup.add(who, words(name), unit(name), figures.of(name))));
  }

  private static String words(String name) {
    return switch (name) {
      case "bytes" -> "bytes in memory (Redis, or the heap)";
      case "p50", "p99", "p99.9" -> "lateness at 500/s, " + name;
      default -> name;
    };
  }

  private static String unit(String name) {
    return switch (name) {
      case "bytes" -> "B a message";
      case "p50", "p99", "p99.9" -> "ms";
      default -> "msg/s";
    };
  }

  private void keep(int round, String who, Map<String, Double> figures) {
    setup.line("round %d, %s: %s", round, who, figures);
    values.computeIfAbsent(who, key -> new Series()).keep(figures);
  }

  /** Measures a new bridge in each round, as the others have a process of their own. */
  private Map<String, Double> bridge(int round) {
    Station bridge = setup.bridge("bridge-" + round, setup.options().guarantee());
    OpenLoop loop = Late.loop(bridge, size);
    drain(bridge);
    Late.warmUp(setup, bridge, loop, Late.SLOW);
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("drain", drain(bridge));
    Lateness lateness = loop.run(Late.SLOW, LENGTH);
    figures.putAll(lateness.percentiles());
    long before = setup.lab().redisData();
    long stored = bridge.gauge().stored();
    long start = System.nanoTime();
    bridge.fill(messages, size, System.currentTimeMillis() + Backlog.AHEAD_MS);
    bridge.gauge().awaitStored(stored + messages, LIMIT);
    figures.put("schedule", messages / ((System.nanoTime() - start) / 1e9));
    figures.put("bytes", (double) (setup.lab().redisData() - before) / messages);
    bridge.lane().processes().forEach(process -> process.stop());
    return figures;
  }

  /** Returns messages a second, from the due time to the last message that is received. */
  private double drain(Station bridge) {
    while (true) {
      long due = System.currentTimeMillis() + leadMs;
      long stored = bridge.gauge().stored();
      bridge.tail().toEnd();
      Checklist all = bridge.fill(messages, size, due);
      bridge.gauge().awaitStored(stored + messages, LIMIT);
      boolean inTime = System.currentTimeMillis() < due;
      double rate = received(bridge, all, due);
      if (inTime) {
        return rate;
      }
      leadMs *= 2;
    }
  }

  private double received(Station bridge, Checklist all, long due) {
    while (!all.isComplete()) {
      bridge.tail().read().forEach(all::tick);
      if (System.currentTimeMillis() - due > LIMIT.toMillis()) {
        throw new IllegalStateException(all.missing());
      }
    }
    double rate = 1e3 * messages / Math.max(1, System.currentTimeMillis() - due);
    bridge.tail().end(all);
    return rate;
  }

  private Map<String, Double> program(int round, String name, String first) throws IOException {
    Path dir = Files.createDirectories(setup.lab().dir().resolve(name + "-" + round));
    Path logging = Files.write(dir.resolve("logback.xml"), resource("others-logback.xml"));
    String classPath =
        new String(resource("others.classpath"), StandardCharsets.UTF_8).strip()
            + File.pathSeparator
            + own();
    try (JavaProcess process =
        JavaProcess.of(name, dir, PROGRAMS + name, classPath)
            .jvm(List.of("-Xmx2g", "-Dlogback.configurationFile=" + logging))
            .arguments(first, Integer.toString(size), Integer.toString(messages))) {
      process.start().awaitEnd(LIMIT);
      return Files.readAllLines(process.log()).stream()
          .filter(line -> line.startsWith("RESULT "))
          .findFirst()
          .map(Others::parse)
          .orElseThrow(() -> process.failure("gave no result"));
    }
  }

  static Map<String, Double> parse(String line) {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (String word : line.strip().split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        figures.put(word.substring(0, equals), Double.parseDouble(word.substring(equals + 1)));
      }
    }
    return figures;
  }

  /** Returns the path of the programs themselves. */
  private static String own() throws IOException {
    try {
      return Path.of(
              Class.forName(PROGRAMS + "Rival", false, Others.class.getClassLoader())
                  .getProtectionDomain()
                  .getCodeSource()
                  .getLocation()
                  .toURI())
          .toString();
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new IOException("the module with the others is not on the class path", e);
    }
  }

  private static byte[] resource(String name) {
    return Resources.read(
        Others.class,
        "/io/delaybridge/bench/others/" + name,
        "the module others was not built by Maven.");
  }
}
