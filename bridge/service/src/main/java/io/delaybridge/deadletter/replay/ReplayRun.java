package io.delaybridge.deadletter.replay;

import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.letters.IndexUnavailableException;
import io.delaybridge.deadletter.letters.LetterReader;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.ReplayJob;
import io.delaybridge.message.Source;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays many dead letters, oldest first, at a bounded rate. Each batch is one transaction: the
 * intake records, their marks and how far the job is then.
 */
final class ReplayRun implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(ReplayRun.class);
  private static final int BATCHES_PER_SECOND = 10;
  private static final int MAX_BATCH = 500;
  private static final long MAX_BYTES = 4 << 20;
  private static final int MAX_FAILURES = 20;

  private final ReplayJobs.ReplayTools tools;
  private final List<DeadLetter> letters;
  private final Set<Source> outlived;
  private final String by;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile ReplayJob status;

  /** How many of the next letters go one by one, because Kafka refused one of them. */
  private int alone;

  /** Why the last failed letter failed; a problem that only delays the job passes. */
  private @Nullable String fault;

  ReplayRun(
      ReplayJobs.ReplayTools tools,
      List<DeadLetter> letters,
      ReplayJob begin,
      String by,
      InstantSource clock,
      LongSupplier nanos) {
    this.tools = tools;
    this.letters = letters;
    this.outlived = ReplayRecords.outlived(letters);
    this.status = begin;
    this.by = by;
    this.clock = clock;
    this.nanos = nanos;
  }

  ReplayJob status() {
    return status;
  }

  void stop() {
    stop.countDown();
  }

  @Override
  public void run() {
    LOG.info("Replay {} of {} dead letters begins", status.job(), letters.size());
    try (LetterReader reader = tools.contents().reader()) {
      begin();
      finish(all(reader));
    } catch (InterruptException e) {
      LOG.info("Replay {} was interrupted", status.job());
    } catch (RuntimeException | Error e) {
      LOG.error("Replay {} failed", status.job(), e);
      status = with(ReplayJob.State.FAILED, 0, 0, 0, e.toString());
    }
    LOG.info(
        "Replay {} is {}: {} replayed, {} failed, {} skipped",
        status.job(),
        status.state(),
        status.done(),
        status.failed(),
        status.skipped());
  }

  /** Tells other instances of the job before its first batch is out, which may have to wait. */
  private void begin() {
    try {
      note(status);
    } catch (IndexUnavailableException e) {
      LOG.warn("The start of replay {} could not be recorded: {}", status.job(), e.getMessage());
    }
  }

  private ReplayJob.State all(LetterReader reader) {
    int failures = 0;
    int next = 0;
    while (next < letters.size()) {
      List<DeadLetter> batch = batch(next);
      long began = nanos.getAsLong();
      try {
        if (!replay(batch, reader)) {
          continue;
        }
        next += batch.size();
        alone = Math.max(0, alone - batch.size());
        failures = 0;
      } catch (IndexUnavailableException e) {
        LOG.warn("Replay {} waits and tries again: {}", status.job(), e.getMessage());
        status = with(ReplayJob.State.RUNNING, 0, 0, 0, e.getMessage());
        if (++failures == MAX_FAILURES) {
          return ReplayJob.State.FAILED;
        }
        if (ended(tools.pause().toMillis())) {
          return ReplayJob.State.STOPPED;
        }
      }
      long took = (nanos.getAsLong() - began) / 1_000_000;
      if (ended(Math.max(0, batch.size() * 1_000L / status.perSecond() - took))) {
        return next < letters.size() ? ReplayJob.State.STOPPED : ReplayJob.State.DONE;
      }
    }
    return ReplayJob.State.DONE;
  }

  private List<DeadLetter> batch(int from) {
    int most = Math.min(MAX_BATCH, Math.max(1, status.perSecond() / BATCHES_PER_SECOND));
    long bytes = 0;
    int to = from;
    while (to < letters.size() && to - from < (alone > 0 ? 1 : most)) {
      bytes += letters.get(to).contentBytes();
      if (bytes > MAX_BYTES && to > from) {
        break;
      }
      to++;
    }
    return letters.subList(from, to);
  }

  /** False if the batch must be tried again in smaller ones. */
  private boolean replay(List<DeadLetter> batch, LetterReader reader) {
    Map<Source, ConsumerRecord<byte[], byte[]>> contents =
        reader.read(batch.stream().map(LetterReader::contentOf).toList());
    try {
      status = write(batch, contents);
      return true;
    } catch (Ledger.RefusedException e) {
      if (batch.size() > 1) {
        alone = batch.size();
        return false;
      }
      fault = batch.get(0).source() + ": " + e.getMessage();
      status = with(ReplayJob.State.RUNNING, 0, 1, 0, fault);
      return true;
    }
  }

  private ReplayJob write(
      List<DeadLetter> batch, Map<Source, ConsumerRecord<byte[], byte[]>> contents) {
    return tools
        .ledger()
        .run(
            (marks, transaction) -> {
              List<DeadLetter> sent = new ArrayList<>();
              List<ProducerRecord<byte[], byte[]>> out = new ArrayList<>();
              int done = 0;
              int failed = 0;
              int skipped = 0;
              for (DeadLetter letter : batch) {
                Mark mark = marks.find(letter);
                ConsumerRecord<byte[], byte[]> content =
                    contents.get(LetterReader.contentOf(letter));
                if (mark != null) {
                  // By this very job: a commit whose answer was lost.
                  boolean own = mark.operation().equals(status.job());
                  done += own ? 1 : 0;
                  skipped += own ? 0 : 1;
                } else if (content == null) {
                  failed++;
                  fault = "the content of " + letter.source() + " was deleted from its topic";
                } else {
                  sent.add(letter);
                  out.add(tools.records().record(letter, content, changes(letter)));
                }
              }
              ReplayJob after =
                  with(ReplayJob.State.RUNNING, done + sent.size(), failed, skipped, fault);
              transaction.commit(out, places -> marks(sent, places, after));
              return after;
            });
  }

  private HeaderChanges changes(DeadLetter letter) {
    return outlived.contains(letter.source()) ? ReplayRecords.nameless() : HeaderChanges.NONE;
  }

  private List<ProducerRecord<byte[], byte[]>> marks(
      List<DeadLetter> sent, List<RecordMetadata> places, ReplayJob after) {
    List<ProducerRecord<byte[], byte[]>> marks = new ArrayList<>(sent.size() + 1);
    for (int i = 0; i < sent.size(); i++) {
      DeadLetter letter = sent.get(i);
      Mark mark =
          new Mark(
              Mark.State.REPLAYED,
              clock.millis(),
              by,
              status.job(),
              letter.position(),
              Replay.place(places.get(i)),
              letter.replays() + 1);
      marks.add(tools.codec().mark(letter.source(), mark));
    }
    marks.add(tools.codec().job(after));
    return marks;
  }

  /** The work of the job is committed by then, so an end that cannot be noted changes nothing. */
  private void finish(ReplayJob.State end) {
    ReplayJob last = with(end, 0, 0, 0, status.problem());
    status = last;
    for (int failures = 1; ; failures++) {
      try {
        note(last);
        return;
      } catch (IndexUnavailableException e) {
        LOG.warn("The end of replay {} could not be recorded: {}", last.job(), e.getMessage());
        if (failures == MAX_FAILURES || ended(tools.pause().toMillis())) {
          return;
        }
      }
    }
  }

  private void note(ReplayJob job) {
    tools
        .ledger()
        .run(
            (marks, transaction) -> {
              transaction.commit(List.of(), nothing -> List.of(tools.codec().job(job)));
              return job;
            });
  }

  private ReplayJob with(
      ReplayJob.State state, int done, int failed, int skipped, @Nullable String problem) {
    ReplayJob before = status;
    return new ReplayJob(
        before.job(),
        before.instance(),
        state,
        before.total(),
        before.done() + done,
        before.failed() + failed,
        before.skipped() + skipped,
        before.perSecond(),
        clock.millis(),
        problem);
  }

  /** Waits; true if the end has come. */
  private boolean ended(long millis) {
    try {
      return stop.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
