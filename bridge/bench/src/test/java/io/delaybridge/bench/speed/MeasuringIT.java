package io.delaybridge.bench.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.bench.speed.figures.Report;
import io.delaybridge.bench.speed.lab.Bill;
import io.delaybridge.bench.speed.lab.Guarantee;
import io.delaybridge.bench.speed.lab.Lane;
import io.delaybridge.bench.speed.lab.OpenLoop;
import io.delaybridge.bench.speed.lab.OpenLoop.Lateness;
import io.delaybridge.bench.speed.lab.Station;
import io.delaybridge.bench.speed.lab.Steady;
import io.delaybridge.bench.speed.lab.Steady.Arrival;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measurements on real processes, with a small number of messages. */
class MeasuringIT {

  private static final int SIZE = 100;

  @TempDir Path dir;
  private final List<String> told = new ArrayList<>();

  @Test
  void ratesAndLatenessComeFromWhatReallyArrives() throws InterruptedException {
    Path root = Path.of(System.getProperty("root.dir"));
    Options options =
        Options.of(
            Experiment.ALL.get(0),
            Map.of(
                Option.SIZE,
                Integer.toString(SIZE),
                // A smaller number would be stored between two samples, and there would be no rate.
                Option.MESSAGES,
                "20000",
                Option.PARTITIONS,
                "2",
                Option.LOOPS,
                "1",
                Option.REDIS,
                "appendonly=no",
                Option.BRIDGE_JVM,
                "-Xmx300m,-XX:TieredStopAtLevel=1"));
    Report report = new Report("Small", Map.of());
    try (Setup setup =
        new Setup(options, new Progress(told::add), root, dir.resolve("lab"), report)) {
      Station yardstick = setup.passThrough(Guarantee.EXACTLY_ONCE);
      Station bridge = setup.bridge("bridge", Guarantee.EXACTLY_ONCE);

      assertThat(setup.lab().redis().command("CONFIG", "GET", "appendonly"))
          .isEqualTo(List.of("appendonly", "no"));
      assertThat(yardstick.through(SIZE)).isPositive();
      assertThat(bridge.through(SIZE)).isPositive();
      Station.Stored stored = bridge.storeAndDrain(SIZE);
      assertThat(stored.store()).isPositive();
      assertThat(stored.drain()).isPositive();

      setup.lab().deleteRecords(bridge.lane().intake(), bridge.lane().target());
      bridge.tail().toBeginning();
      assertThat(bridge.tail().ahead()).isZero();

      Lateness lateness =
          OpenLoop.delayed(bridge, SIZE, Duration.ofMillis(300), Duration.ofMillis(900))
              .run(200, Duration.ofSeconds(2));
      // The number of messages due within the two seconds is random.
      assertThat(lateness.late().getTotalCount()).isBetween(340L, 460L);
      assertThat(lateness.late().getMaxValue()).isPositive();

      List<Bill> bills = new ArrayList<>();
      Runnable pays = () -> bills.add(Bill.now(setup.lab(), yardstick.lane()));
      Lateness floor =
          OpenLoop.atOnce(yardstick, setup.prompt(), SIZE)
              .around(pays, pays)
              .run(200, Duration.ofSeconds(2));
      Bill bill = bills.get(1).since(bills.get(0));
      assertThat(bill.nanos()).isBetween(1_500_000_000L, 10_000_000_000L);
      assertThat(bill.bridge()).isPositive();
      assertThat(bill.broker()).isPositive();
      assertThat(bill.logBytes()).as("the transactions of 400 messages").isPositive();
      assertThat(lateness.rate()).isBetween(150.0, 201.0);
      assertThat(floor.late().getTotalCount()).isEqualTo(400);
      assertThat(floor.rate()).isBetween(150.0, 201.0);

      Lane lane = bridge.lane();
      long from = System.currentTimeMillis() + 1_500;
      try (Steady steady =
          new Steady(setup.loader(), setup.tail(lane.target()), lane.name(), 2, SIZE, 200)) {
        List<Arrival> all = steady.due(from, from + 1_000, partition -> true);
        assertThat(all).hasSizeGreaterThan(50);
        assertThat(all)
            .allMatch(each -> each.late() >= 0 && each.due() >= from && each.due() < from + 1_000);
        assertThat(steady.due(from, from + 1_000, partition -> partition == 1))
            .hasSizeBetween(all.size() / 2 - 1, all.size() / 2 + 1);
        assertThat(steady.repeated()).isZero();
      }
      assertThat(told).anyMatch(line -> line.contains("broker and Redis start"));
    }
  }
}
