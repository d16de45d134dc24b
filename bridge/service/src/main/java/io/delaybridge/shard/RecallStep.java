package io.delaybridge.shard;

import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.ShardStore.Page;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Makes the store's index of ids know the far messages: reads the ids of the copies in the later
 * topic that are not judged, before the shard reads anything else. See ADR 32.
 */
final class RecallStep {

  private static final Logger LOG = LoggerFactory.getLogger(RecallStep.class);

  private static final int MOST = 500;

  private final Consumer<byte[], byte[]> consumer;
  private final ShardStore store;
  private final LaterTopic later;
  private final IntakeTopics topics;
  private final Assignment assignment;
  private final LoopSettings settings;

  RecallStep(LoopPorts ports, Assignment assignment, LoopSettings settings) {
    this.consumer = ports.consumer();
    this.store = ports.store();
    this.later = ports.later();
    this.topics = ports.topics();
    this.assignment = assignment;
    this.settings = settings;
  }

  /**
   * Recalls one page, if the index does not know everything yet. Comes at the end of a turn: far
   * messages that were read in it have left by then. The index is complete once the log is read: it
   * need not wait for what this loop has put back since, whose ids it knows.
   */
  void run(Shard shard) {
    if (shard.recall.isRunning()) {
      recall(shard);
    } else if (shard.index == Index.RECALLED
        && shard.sweep.hasReadLog(shard)
        && knowsCopies(shard)) {
      complete(shard, shard.sweep.logReadTo(shard));
    }
  }

  /** False if the copies wait in a later topic that was not there when this bridge was started. */
  private boolean knowsCopies(Shard shard) {
    return later.exists(shard.id.topic()) || shard.progress.laps().copies() == 0;
  }

  private void complete(Shard shard, long fedTo) {
    if (Replies.await(store.complete(shard.key, fedTo))) {
      shard.knows(Index.COMPLETE);
      // The marks of messages that were taken back meanwhile.
      shard.sweep.idsAreLeft();
    } else {
      assignment.close(shard, "Redis fell back, or another bridge has opened the shard since");
    }
  }

  private void recall(Shard shard) {
    LaterTopic.Read read =
        later.exists(shard.id.topic())
            ? read(shard, shard.recall.from(), MOST)
            : new LaterTopic.Read(List.of(), shard.recall.to());
    List<Named> named = named(read.records().stream().map(RequestParser::copy).toList());
    long position = consumer.position(shard.partition);
    long expected = shard.backlog.next();
    Page page = shard.recall.page(read.next());
    long next = Replies.await(store.recall(shard.key, expected, position, named, page));
    if (next != (expected == ShardStore.ABSENT ? position : expected)) {
      assignment.close(shard, "Redis fell back while its far messages were recalled");
      return;
    }
    shard.backlog.recalled(next);
    shard.recall.read(read.next());
    if (page.last()) {
      shard.lapClock.readable();
      shard.knows(Index.RECALLED);
      if (shard.recall.knowsRest()) {
        complete(shard, next);
      }
      assignment.read(shard);
    }
  }

  /**
   * Reads some copies. Passes over deleted records if none was a copy, or if the settings allow it.
   */
  LaterTopic.Read read(Shard shard, long from, int most) {
    try {
      return later.read(shard.id, from, most);
    } catch (OffsetOutOfRangeException e) {
      boolean copiesDeleted = shard.progress.laps().copies() > 0;
      if (copiesDeleted && !settings.skipDeleted()) {
        throw e;
      }
      long start = later.start(shard.id);
      if (copiesDeleted) {
        long end = topics.logEnd(LaterTopic.partition(shard.id));
        shard.passOver(shard.progress.laps().skippedTo(start, end));
        shard.lapClock.lookAtOnce();
      } else {
        shard.progress.laps(shard.progress.laps().judged(start, 0));
      }
      LOG.atLevel(copiesDeleted ? Level.WARN : Level.INFO)
          .log(
              "Shard {}: its later topic is read from offset {}, because offset {} was deleted",
              shard.id,
              start,
              from);
      return new LaterTopic.Read(List.of(), start);
    }
  }

  /** Returns the copies that have an id. */
  static List<Named> named(List<DelayedMessage> copies) {
    List<Named> named = new ArrayList<>();
    for (DelayedMessage copy : copies) {
      String id = copy.id();
      if (id != null) {
        long next = copy.repeats() ? copy.due() : Named.ONCE;
        named.add(new Named(id, copy.origin(), copy.readAt(), next));
      }
    }
    return named;
  }
}
