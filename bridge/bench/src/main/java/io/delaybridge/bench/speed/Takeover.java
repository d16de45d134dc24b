package io.delaybridge.bench.speed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import io.delaybridge.bench.speed.lab.Guarantee;
import io.delaybridge.bench.speed.lab.Lab;
import io.delaybridge.bench.speed.lab.Steady;
import io.delaybridge.bench.speed.lab.Steady.Arrival;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The lateness of messages when one of several bridges dies, freezes, loses its network, leaves or
 * joins: of all messages, and of those in the shards that stay where they are. The bridges have the
 * configuration that they are delivered with.
 */
final class Takeover {

  private static final double RATE = 300;
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration CALM = Duration.ofSeconds(6);
  private static final Duration WARM = Duration.ofSeconds(30);
  private static final Duration FROZEN = Duration.ofSeconds(25);
  private static final Duration AFTER = Duration.ofSeconds(12);

  /** The pause between two bridges of a rolling restart, as minReadySeconds of the Helm chart. */
  private static final Duration READY = Duration.ofSeconds(20);

  private static final int LATE_MS = 500;
  private static final String WORST = "worst lateness";
  private static final String OTHERS = "worst lateness of what stays";
  private static final String LATE = "later than %d ms".formatted(LATE_MS);

  private static final int PICTURE_S = 40;

  private final Setup setup;
  private final TcpProxy toKafka = TcpProxy.to(0);
  private final TcpProxy toRedis = TcpProxy.to(0);
  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, List<Point>> curves = new LinkedHashMap<>();

  /** The events, with the goals for all messages and for those of the shards that stay. */
  private enum Event {
    KILLED("killed", 3_000, 1_000),
    FROZEN("frozen for 25 s", 4_000, 1_000),
    THAWED("the same, at its return", 1_000, 1_000),
    CUT("network cut for 12 s", 4_000, 1_000),
    WITHOUT_REDIS("way to Redis cut for 12 s", 6_000, 1_000),
    WITHOUT_KAFKA("way to Kafka cut for 12 s", 6_000, 1_000),
    LEAVES("leaves", 700, 500),
    JOINS("joins", 700, 500),
    ROLLING("rolling restart of three", 700, 500);

    private final String title;
    private final int goal;
    private final int goalOfOthers;

    Event(String title, int goal, int goalOfOthers) {
      this.title = title;
      this.goal = goal;
      this.goalOfOthers = goalOfOthers;
    }
  }

  Takeover(Setup setup) {
    this.setup = setup;
  }

  void run() throws Exception {
    try (toKafka;
        toRedis) {
      Lab lab = setup.labBehind(toKafka);
      toRedis.retarget(lab.redis().port());
      for (Guarantee guarantee : setup.options().guarantees()) {
        of(guarantee);
      }
      setup.plot(
          "takeover",
          new Axes(
              "Worst lateness by second, exactly once, last round",
              "seconds after the event",
              "ms late",
              false,
              true),
          curves);
      setup.note(
          "Two bridges with two loops each, but for the rolling restart; %.0f messages a second,"
                  .formatted(RATE)
              + " due one second after they are written; a consumer that reads what is"
              + " committed. What \"stays\" are the shards that a bridge has before and after"
              + " the event, and nothing happened to that bridge.");
    }
  }

  private void of(Guarantee guarantee) throws Exception {

    String name = "takeover-" + guarantee.key();
    setup.lanes().topics(name);
    String kafka = setup.lab().bootstrapServers();
    String redis = setup.lab().redis().uri();
    BridgeProcess victim =
        setup
            .lanes()
            .plain(
                name + "-victim",
                name,
                guarantee,
                "127.0.0.1:" + toKafka.port(),
                "redis://127.0.0.1:" + toRedis.port());
    BridgeProcess other = setup.lanes().plain(name + "-other", name, guarantee, kafka, redis);
    BridgeProcess third = setup.lanes().plain(name + "-third", name, guarantee, kafka, redis);
    victim.start().awaitHealthy(START);
    other.start().awaitHealthy(START);
    Series series = new Series();
    try (Steady load = setup.steady(name, RATE)) {
      TimeUnit.MILLISECONDS.sleep(WARM.toMillis());
      for (int round = 1; round <= setup.options().rounds(); round++) {
        round(new Round(round, load, guarantee, series), List.of(victim, other, third));
      }
      if (guarantee == Guarantee.EXACTLY_ONCE && load.repeated() > 0) {
        throw new IllegalStateException(load.repeated() + " messages came more than once");
      }
      setup.note(
          "%s: %d messages came more than once, none was lost or early."
              .formatted(guarantee.words(), load.repeated()));
    }
    List.of(victim, other).forEach(BridgeProcess::stop);
    for (Event event : Event.values()) {
      String group = guarantee.words() + ", " + event.title;
      setup.add(group, WORST, "ms", series.of(event + WORST), Goal.atMost(event.goal));
      if (series.has(event + OTHERS)) {
        setup.add(group, OTHERS, "ms", series.of(event + OTHERS), Goal.atMost(event.goalOfOthers));
      }
      setup.add(group, LATE, "messages", series.of(event + LATE));
    }
  }

  private record Round(int number, Steady load, Guarantee guarantee, Series series) {}

  private void round(Round round, List<BridgeProcess> bridges) throws Exception {
    BridgeProcess victim = bridges.get(0);
    BridgeProcess other = bridges.get(1);
    calm(victim, other);
    event(round, Event.KILLED, other, victim::kill, AFTER);
    victim.start().awaitHealthy(START);
    calm(victim, other);
    event(round, Event.FROZEN, other, victim::pause, FROZEN);
    event(round, Event.THAWED, other, victim::resume, AFTER);
    cut(round, Event.CUT, List.of(toKafka, toRedis), victim, other);
    cut(round, Event.WITHOUT_REDIS, List.of(toRedis), victim, other);
    cut(round, Event.WITHOUT_KAFKA, List.of(toKafka), victim, other);
    calm(victim, other);
    event(round, Event.LEAVES, other, victim::stop, AFTER);
    event(round, Event.JOINS, other, () -> victim.start().awaitHealthy(START), AFTER);
    bridges.get(2).start().awaitHealthy(START);
    calm(victim, other, bridges.get(2));
    event(round, Event.ROLLING, null, () -> restart(bridges), AFTER);
    bridges.get(2).stop();
  }

  private static void restart(List<BridgeProcess> bridges) {
    for (BridgeProcess each : bridges) {
      each.stop();
      each.start().awaitHealthy(START);
      Lab.pause(READY.toMillis());
    }
  }

  private void cut(
      Round round, Event event, List<TcpProxy> ways, BridgeProcess victim, BridgeProcess other)
      throws Exception {
    calm(victim, other);
    event(round, event, other, () -> ways.forEach(TcpProxy::refuse), AFTER);
    if (victim.health().status() == 200) {
      throw new IllegalStateException("a bridge that is cut off says that it is healthy");
    }
    ways.forEach(TcpProxy::allow);
    victim.awaitHealthy(START);
  }

  /** Waits until all of them have shards, and some seconds longer. */
  private void calm(BridgeProcess... bridges) throws Exception {
    long limit = System.nanoTime() + START.toNanos();
    for (BridgeProcess bridge : bridges) {
      while (shards(bridge).isEmpty()) {
        if (System.nanoTime() > limit) {
          throw new IllegalStateException(bridge.dir() + " has no shard");
        }
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
    TimeUnit.MILLISECONDS.sleep(CALM.toMillis());
  }

  private void event(
      Round round, Event event, @Nullable BridgeProcess other, Runnable what, Duration length)
      throws Exception {
    Set<Integer> stays = other == null ? Set.of() : new HashSet<>(shards(other));
    long begun = System.currentTimeMillis();
    what.run();
    TimeUnit.MILLISECONDS.sleep(length.toMillis());
    if (other != null) {
      stays.retainAll(shards(other));
    }
    long ended = System.currentTimeMillis();
    List<Arrival> all = round.load.due(begun - 1_000, ended - 1_500, partition -> true);
    List<Arrival> others = round.load.due(begun - 1_000, ended - 1_500, stays::contains);
    double most = most(all);
    round.series.keep(event + WORST, most);
    if (!stays.isEmpty()) {
      round.series.keep(event + OTHERS, most(others));
    }
    long tooLate = all.stream().filter(each -> each.late() > LATE_MS).count();
    round.series.keep(event + LATE, (double) tooLate);
    setup.line(
        "%s round %d, %s: worst %,.0f ms, of %d shards that stay %,.0f ms; %d of %d later than"
            + " %d ms",
        round.guarantee.words(),
        round.number,
        event.title,
        most,
        stays.size(),
        stays.isEmpty() ? 0 : most(others),
        tooLate,
        all.size(),
        LATE_MS);
    if (round.guarantee == Guarantee.EXACTLY_ONCE) {
      curves.put(event.title, bySecond(all, begun));
    }
  }

  private static double most(List<Arrival> arrivals) {
    return arrivals.stream().mapToLong(Arrival::late).max().orElse(0);
  }

  private static List<Point> bySecond(List<Arrival> arrivals, long begun) {
    Map<Long, Long> most = new TreeMap<>();
    for (Arrival each : arrivals) {
      long second = Math.floorDiv(each.due() - begun, 1_000L);
      if (second < PICTURE_S) {
        most.merge(second, Math.max(1, each.late()), Math::max);
      }
    }
    return most.entrySet().stream().map(each -> new Point(each.getKey(), each.getValue())).toList();
  }

  /** Returns the partitions that the bridge delivers from. */
  private List<Integer> shards(BridgeProcess bridge) throws IOException, InterruptedException {
    JsonNode all =
        json.readTree(
            http.send(
                    HttpRequest.newBuilder(URI.create(bridge.httpUri() + "/v1/shards")).build(),
                    HttpResponse.BodyHandlers.ofString())
                .body());
    List<Integer> open = new ArrayList<>();
    for (JsonNode shard : all) {
      if (shard.path("state").asText().equals("OPEN")) {
        open.add(shard.path("partition").asInt());
      }
    }
    return open;
  }
}
