package io.delaybridge.deadletter.replay;

import io.delaybridge.deadletter.index.Catalog;
import io.delaybridge.deadletter.index.LetterFilter;
import io.delaybridge.deadletter.letters.Contents;
import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.MarkCodec;
import io.delaybridge.deadletter.marks.ReplayJob;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the replays of many dead letters: one at a time on this instance, in the background. */
public final class ReplayJobs {

  private static final Duration STOP = Duration.ofSeconds(3);

  /**
   * The tools that every replay needs.
   *
   * @param pause wait before a request that Kafka did not answer is repeated
   */
  public record ReplayTools(
      Contents contents, Ledger ledger, MarkCodec codec, ReplayRecords records, Duration pause) {}

  private final Supplier<Catalog> catalog;
  private final ReplayTools tools;
  private final ReplayRules rules;
  private final String instance;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private @Nullable ReplayRun running;
  private @Nullable Thread thread;
  private boolean stopped;

  /** Takes what it looks at, and what it writes with. */
  public ReplayJobs(
      Supplier<Catalog> catalog,
      ReplayTools tools,
      ReplayRules rules,
      String instance,
      InstantSource clock,
      LongSupplier nanos) {
    this.catalog = catalog;
    this.tools = tools;
    this.rules = rules;
    this.instance = instance;
    this.clock = clock;
    this.nanos = nanos;
  }

  /**
   * Returns the letters that a replay with this filter would include; marked letters never match.
   */
  public Matches matches(LetterFilter filter) {
    LetterFilter unmarked =
        new LetterFilter(
            filter.reason(),
            filter.target(),
            filter.from(),
            filter.to(),
            Mark.State.NEW,
            filter.intake(),
            filter.intakes());
    return Matches.of(catalog.get().list(unmarked, Integer.MAX_VALUE, null).items(), rules);
  }

  /**
   * Begins to replay.
   *
   * @param by the name of who asks
   * @return how it begins, or empty if this instance has not finished another one
   */
  public synchronized Optional<ReplayJob> start(Matches matches, int perSecond, String by) {
    Thread busy = thread;
    if (stopped || (busy != null && busy.isAlive())) {
      return Optional.empty();
    }
    List<DeadLetter> letters = matches.letters();
    ReplayJob begin =
        new ReplayJob(
            UUID.randomUUID().toString(),
            instance,
            ReplayJob.State.RUNNING,
            letters.size(),
            0,
            0,
            0,
            perSecond,
            clock.millis(),
            null);
    ReplayRun run = new ReplayRun(tools, letters, begin, by, clock, nanos);
    Thread started = new Thread(run, "deadletter-replay");
    started.setDaemon(true);
    running = run;
    thread = started;
    started.start();
    return Optional.of(begin);
  }

  /** How far a replay is, on whichever instance it runs. */
  public Optional<ReplayJob> status(String job) {
    ReplayRun here = current();
    return here != null && here.status().job().equals(job)
        ? Optional.of(here.status())
        : catalog.get().job(job, clock.millis());
  }

  private synchronized @Nullable ReplayRun current() {
    return running;
  }

  /** Ends the one that runs, and begins no other. */
  public void stop() throws InterruptedException {
    Thread ending;
    synchronized (this) {
      stopped = true;
      ending = thread;
      if (running != null) {
        running.stop();
      }
    }
    if (ending != null) {
      ending.join(STOP.toMillis());
    }
  }
}
