package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.micro.ParserBenchmark;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** The benchmarks of {@code micro} under JMH: nanoseconds and allocated bytes of one call. */
final class Micro {

  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final TimeValue SECOND = TimeValue.seconds(1);

  private final Setup setup;

  Micro(Setup setup) {
    this.setup = setup;
  }

  void run() throws RunnerException {
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .include(ParserBenchmark.class.getPackageName() + ".*")
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .warmupIterations(3)
            .warmupTime(SECOND)
            .measurementIterations(3)
            .measurementTime(SECOND)
            .forks(setup.options().rounds())
            .shouldFailOnError(true)
            .addProfiler(GCProfiler.class);
    for (RunResult result : new Runner(builder.build()).run()) {
      report(result);
    }
  }

  private void report(RunResult result) {
    String name = result.getParams().getBenchmark();
    StringBuilder label =
        new StringBuilder(name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1));
    for (String parameter : result.getParams().getParamsKeys()) {
      label.append(' ').append(parameter).append(' ');
      label.append(result.getParams().getParam(parameter));
    }
    String call = label.toString();
    Series series = new Series();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        series.keep("time", iteration.getPrimaryResult().getScore());
        series.keep(
            "allocated",
            Objects.requireNonNull(iteration.getSecondaryResults().get(ALLOCATED)).getScore());
      }
    }
    setup.add(call, "time of a call", "ns", series.of("time"));
    setup.add(call, "allocated by a call", "B", series.of("allocated"));
  }
}
