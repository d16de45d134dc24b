package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Spread;
import io.delaybridge.bench.speed.lab.Jcmd;
import io.delaybridge.bench.speed.lab.Station;
import io.delaybridge.stack.CpuTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The processor time and the memory of the bridge during the mixed run, by place in the code: a
 * flight recording of the bridge, and the CPU time of every process involved, over the window in
 * which the rate is taken.
 */
final class Profile {

  private static final Duration WINDOW = Duration.ofSeconds(20);

  /** About three minutes: the compilers are busy for that long at the rates of this run. */
  private static final int WARM_UPS = 4;

  private static final Pattern COLLECTOR = Pattern.compile("GC Thread|G1 ");

  private final Setup setup;

  Profile(Setup setup) {
    this.setup = setup;
  }

  void run() throws InterruptedException, IOException {
    int size = setup.options().size();
    Station bridge = setup.bridge("bridge", setup.options().guarantee());
    long pid = bridge.lane().process().pid();
    Jcmd.prepareRecording(pid);
    for (int i = 0; i < 2; i++) {
      bridge.through(size);
    }
    double guess = 20_000;
    for (int i = 0; i < WARM_UPS; i++) {
      guess = new Mixed(bridge, size, WINDOW).run(guess).rate();
    }
    setup.line("warm, mixed at %,.0f/s; recording", guess);
    Path recording = setup.lab().dir().resolve("mixed.jfr");
    Jcmd.startRecording(pid, recording);
    Map<String, Long> before = new LinkedHashMap<>();
    Map<String, Long> after = new LinkedHashMap<>();
    Mixed.Steady steady =
        new Mixed(bridge, size, WINDOW)
            .run(guess, () -> before.putAll(cpu(pid)), () -> after.putAll(cpu(pid)));
    Jcmd.stopRecording(pid);
    String group = size + " B, " + setup.options().guarantee().words();
    setup.add(group, "mixed, while recorded", "msg/s", Spread.of(steady.rate()));
    for (String name : after.keySet()) {
      double micros = 1e3 * used(name, before, after) / steady.delivered();
      setup.add(group, "CPU of " + name, "µs a message", Spread.of(micros));
    }
    setup.note(new Recording(recording).summary());
  }

  private static long used(String name, Map<String, Long> before, Map<String, Long> after) {
    return after.getOrDefault(name, 0L) - before.getOrDefault(name, 0L);
  }

  private Map<String, Long> cpu(long bridge) {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put("the bridge", CpuTime.of(bridge));
    all.put("the bridge's compilers", CpuTime.of(bridge, CpuTime.COMPILERS));
    all.put("the bridge's garbage collector", CpuTime.of(bridge, COLLECTOR));
    all.put("the broker", CpuTime.of(setup.lab().broker().pid()));
    all.put("Redis", CpuTime.of(setup.lab().redis().pid()));
    all.put("the load", CpuTime.of(ProcessHandle.current().pid()));
    return all;
  }
}
