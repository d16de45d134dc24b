package io.delaybridge.shard;

import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.Ask;
import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Replacement;
import io.delaybridge.message.Request;
import io.delaybridge.store.Entry;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Ingested;
import io.delaybridge.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The second step of a turn: stores the polled records, all shards at once. A batch with messages
 * that are due already waits for the fourth step, and only the rest of it is stored then.
 */
final class StoreStep {

  private static final Duration POSITION_TIMEOUT = Duration.ofMillis(500);

  /** They leave at once, unless the shard is paused. */
  private static final int MOST_REFUSED = 10_000;

  private final Consumer<byte[], byte[]> consumer;
  private final ShardStore store;
  private final Assignment assignment;
  private final LoopListener listener;
  private final LoopSettings settings;
  private final Clocks clocks;

  StoreStep(
      Consumer<byte[], byte[]> consumer,
      ShardStore store,
      Assignment assignment,
      LoopListener listener,
      LoopSettings settings,
      Clocks clocks) {
    this.consumer = consumer;
    this.store = store;
    this.assignment = assignment;
    this.listener = listener;
    this.settings = settings;
    this.clocks = clocks;
  }

  /** Stores the polled records. A batch with due messages may wait for the delivery instead. */
  void run(ConsumerRecords<byte[], byte[]> polled) {
    List<Batch> batches = new ArrayList<>();
    Duration patience = POSITION_TIMEOUT;
    for (Shard shard : assignment.open()) {
      if (!shard.isOpen() || shard.recall.isRunning()) {
        // Found truncated when Kafka was asked about another one. Or nothing is read of it yet: the
        // first that the store hears of its ids must be the recall.
        continue;
      }
      try {
        read(shard, polled, patience).ifPresent(batches::add);
      } catch (LogTruncationException e) {
        // Its polled records are not read, so they must be polled again.
        assignment.truncated(shard, e);
      } catch (TimeoutException e) {
        // A new leader is first asked whether it has the position. The other shards need not wait
        // for it, and if it leads many of them, they have all had this time.
        patience = Duration.ZERO;
        assignment.close(
            shard, "its position in the intake cannot be read from Kafka: " + e.getMessage());
      }
    }
    ingest(batches, store::ingest);
  }

  /** Stores the batches that have waited, without the messages that are out. */
  void rest() {
    List<Batch> whole = new ArrayList<>();
    List<Batch> rests = new ArrayList<>();
    for (Shard shard : assignment.open()) {
      shard
          .backlog
          .takeWaiting()
          .ifPresent(batch -> (batch.mustBeStored() ? rests : whole).add(batch));
    }
    ingest(whole, store::ingest);
    ingest(rests, store::ingestRest);
  }

  private interface Ingest {
    CompletableFuture<Ingested> of(
        ShardStore.Shard shard, long expectedNext, long newNext, List<Entry> entries);
  }

  private void ingest(List<Batch> batches, Ingest ingest) {
    List<CompletableFuture<Ingested>> replies =
        batches.stream()
            .map(
                batch ->
                    ingest.of(
                        batch.shard().key,
                        batch.shard().backlog.next(),
                        batch.position(),
                        batch.entries()))
            .toList();
    for (int i = 0; i < batches.size(); i++) {
      stored(batches.get(i), replies.get(i));
    }
  }

  /** The batch to store now; empty if nothing was polled or the batch waits. */
  private Optional<Batch> read(
      Shard shard, ConsumerRecords<byte[], byte[]> polled, Duration patience) {
    // The position, not the last offset + 1: markers of transactions take offsets as well.
    long position = consumer.position(shard.partition, patience);
    if (position == shard.backlog.next()) {
      return Optional.empty();
    }
    OffsetAndMetadata end = polled.nextOffsets().get(shard.partition);
    if (end != null) {
      shard.progress.read(end);
    }
    Batch batch = read(shard, polled.records(shard.partition), position);
    // All messages of an intake with limits are stored: an ask that rejects one may be on its way.
    if (!isLimited(shard) && batch.isDueInPart(clocks.now())) {
      shard.backlog.await(batch);
      return Optional.empty();
    }
    return Optional.of(batch);
  }

  private Batch read(Shard shard, List<ConsumerRecord<byte[], byte[]>> records, long position) {
    List<Entry> entries = new ArrayList<>(records.size());
    Due first = Due.NEVER;
    boolean limited = isLimited(shard);
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (record.offset() < shard.backlog.next() || record.offset() >= position) {
        // Polled before the shard was acquired anew in this very turn; it is polled again.
        continue;
      }
      Reading reading = shard.progress.admission().at(record.offset());
      Request request = RequestParser.parse(record, reading);
      String id = request.id();
      if (id != null) {
        // What is taken back is not refused as well.
        shard.tooMany.values().remove(id);
      }
      if (request instanceof DelayedMessage message) {
        boolean covered = shard.progress.committed().covers(message);
        entries.add(new Entry.Schedule(message, covered));
        if (!covered) {
          first = Due.earlier(first, message.key());
          if (limited && isNew(shard, message)) {
            // Before it is stored: the outcome may stay unknown, and a stored batch is not read
            // again.
            boolean refused = listener.admitted(shard.id, message, record.timestamp());
            if (refused && shard.tooMany.size() < MOST_REFUSED) {
              shard.tooMany.put(message.offset(), message.id());
            }
          }
        } else if (message.id() != null) {
          shard.sweep.idsAreLeft();
        }
      } else if (request instanceof Replacement replacement) {
        DelayedMessage message = replacement.message();
        boolean covered = shard.progress.committed().covers(message);
        boolean told = !covered || shard.start <= replacement.seen();
        Entry.Instead instead = new Entry.Instead(replacement.named(), told);
        entries.add(new Entry.Schedule(message, covered, instead));
        if (!covered) {
          first = Due.earlier(first, message.key());
        } else {
          shard.sweep.idsAreLeft();
        }
      } else if (request instanceof Ask ask) {
        boolean covered = shard.progress.committed().covers(ask.key());
        entries.add(new Entry.Asked(ask, covered));
        if (!covered) {
          first = Due.earlier(first, ask.key());
        } else if (ask.id() != null) {
          shard.sweep.idsAreLeft();
        }
      } else {
        entries.add(new Entry.Cancel((Cancellation) request, record.offset()));
      }
    }
    if (limited) {
      shard.countedTo = Math.max(shard.countedTo, position);
    }
    return new Batch(shard, position, entries, first, records.size());
  }

  private boolean isLimited(Shard shard) {
    return settings.limited().test(shard.id.topic());
  }

  /**
   * Whether a message is new: not a copy that the bridge wrote, except the next occurrence of a
   * repeating message, and not read again, after a previous owner or this one had read it.
   */
  private static boolean isNew(Shard shard, DelayedMessage message) {
    return (!message.isRetry() || message.repeats())
        && !message.isMalformed()
        && message.offset() >= Math.max(shard.progress.offset(), shard.countedTo);
  }

  private void stored(Batch batch, CompletableFuture<Ingested> reply) {
    Shard shard = batch.shard();
    try {
      Ingested ingested = Replies.await(reply);
      if (!ingested.applied()) {
        assignment.follow(shard, ingested.next());
        return;
      }
      shard.backlog.stored(batch, ingested.count());
      listener.ingested(shard.id, batch.records());
    } catch (StoreException e) {
      assignment.failed(shard, e);
    }
  }
}
