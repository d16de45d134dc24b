package io.delaybridge.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Ask;
import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.ShardStore.Settled;
import io.delaybridge.store.ShardStore.Taken;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Takes each step on the model and on the real shard, and compares the answers and the contents.
 */
final class ModelRun {

  /** The delay after which far messages are due, when nothing else is. */
  private static final int LATER = 10;

  private final ShardClient model;
  private final ShardClient real;
  private long log;
  private List<DelayedMessage> taken = List.of();

  /** All far messages so far. A copy that comes home has the key of one of them. */
  private final List<DelayedMessage> far = new ArrayList<>();

  /**
   * @param base offset at which the log of the intake begins
   */
  ModelRun(long base, ShardClient model, ShardClient real) {
    this.log = base;
    this.model = model;
    this.real = real;
  }

  void take(ModelStep step) {
    Function<ShardClient, Object> call = call(step);
    Object expected = answer(call, model);
    assertThat(answer(call, real)).as("answer to %s", step).isEqualTo(expected);
    if (expected instanceof Taken some && !some.messages().isEmpty()) {
      taken = some.messages();
    }
    assertThat(real.open()).as("position after %s", step).isEqualTo(model.open());
    assertThat(real.ids()).as("ids after %s", step).isEqualTo(model.ids());
    assertThat(real.pending()).as("messages after %s", step).isEqualTo(model.pending());
  }

  private static Object answer(Function<ShardClient, Object> call, ShardClient shard) {
    try {
      return call.apply(shard);
    } catch (StoreException e) {
      return String.valueOf(e);
    }
  }

  private Function<ShardClient, Object> call(ModelStep step) {
    if (step instanceof ModelStep.Ingest ingest) {
      return ingest(ingest);
    }
    if (step instanceof ModelStep.Take take) {
      return shard -> shard.take(take.now(), take.maxCount(), take.maxBytes());
    }
    if (step instanceof ModelStep.Settle settle) {
      List<Settled> messages = settled(settle);
      return shard -> shard.settle(settle.seq(), messages);
    }
    if (step instanceof ModelStep.SettleBelow settle) {
      return below(settle);
    }
    if (step instanceof ModelStep.Sweep) {
      return shard -> shard.sweep("a", "b", "c", "unknown");
    }
    if (step instanceof ModelStep.Recall recall) {
      long next = model.open().next();
      List<Named> copies = copies(recall.copies());
      long begins = Math.max(next, log);
      return shard -> shard.recall(next + recall.aside(), begins, recall.last(), copies);
    }
    if (step instanceof ModelStep.Complete complete) {
      long fedTo = Math.max(0, model.open().next() + complete.aside());
      return shard -> shard.complete(fedTo);
    }
    if (step instanceof ModelStep.Judge judge) {
      List<Named> copies = copies(judge.copies());
      return shard -> shard.judge(copies);
    }
    if (step instanceof ModelStep.Drop) {
      return ShardClient::drop;
    }
    Operation operation = ((ModelStep.AsOtherTopic) step).operation();
    return shard -> {
      operation.run(shard.ofTopic("topic-2"));
      return "nothing to refuse";
    };
  }

  private Function<ShardClient, Object> ingest(ModelStep.Ingest step) {
    long next = model.open().next();
    // Every second offset is a marker.
    long offset = Math.max(log, next);
    List<Entry> entries = new ArrayList<>();
    for (ModelStep.Request request : step.requests()) {
      entries.add(entry(request, offset));
      offset += 2;
    }
    long newNext = offset;
    log = offset;
    return shard ->
        (step.ifRecalled() ? shard.recalled() : shard)
            .ingest(next + step.aside(), newNext, entries.toArray(Entry[]::new));
  }

  private Entry entry(ModelStep.Request request, long offset) {
    String id = request.id();
    long origin = Math.max(0, offset - 2L * request.back());
    DelayedMessage first =
        id == null
            ? Samples.message(offset, request.due())
            : Samples.named(offset, request.due(), id);
    return switch (request.kind()) {
      case SCHEDULE -> Samples.schedule(first);
      case COVERED -> Samples.covered(first);
      case RETRY -> Samples.schedule(Samples.retry(offset, request.due(), id, origin));
      case COVERED_RETRY -> Samples.covered(Samples.retry(offset, request.due(), id, origin));
      case ASK -> ask(offset, origin, request, false);
      case COVERED_ASK -> ask(offset, origin, request, true);
      case CANCEL -> new Entry.Cancel(new Cancellation(id == null ? "unknown" : id), offset);
      case FAR -> Samples.schedule(newFar(request, offset));
      case COVERED_FAR -> Samples.covered(newFar(request, offset));
      case HOME -> Samples.schedule(home(request, offset));
      case COVERED_HOME -> Samples.covered(home(request, offset));
      case FAR_RETRY -> Samples.schedule(farRetry(request, offset, origin));
      case COVERED_FAR_RETRY -> Samples.covered(farRetry(request, offset, origin));
      case INSTEAD -> instead(request, Samples.named(offset, request.due(), idOf(request)), false);
      case COVERED_INSTEAD ->
          instead(request, Samples.named(offset, request.due(), idOf(request)), true);
      case FAR_INSTEAD -> instead(request, newFar(request, offset), false);
      case COVERED_FAR_INSTEAD -> instead(request, newFar(request, offset), true);
    };
  }

  /**
   * Returns a replacement of the far message whose turn it is, or of a message that nobody has
   * seen.
   */
  private Entry instead(ModelStep.Request request, DelayedMessage message, boolean covered) {
    long named =
        far.isEmpty()
            ? Math.max(0, message.offset() - 2L * request.back())
            : far.get(request.back() % far.size()).offset();
    boolean told = request.due() % 2 == 0;
    return new Entry.Schedule(message, covered, new Entry.Instead(named, told));
  }

  private String idOf(ModelStep.Request request) {
    DelayedMessage of = far.isEmpty() ? null : far.get(request.back() % far.size());
    String id = of == null ? request.id() : of.id();
    return id == null ? "unknown" : id;
  }

  private static DelayedMessage farRetry(ModelStep.Request request, long offset, long origin) {
    return Samples.farRetry(offset, request.due(), LATER + request.due(), request.id(), origin);
  }

  private DelayedMessage newFar(ModelStep.Request request, long offset) {
    DelayedMessage message =
        Samples.far(offset, request.due(), LATER + request.due(), request.id());
    far.add(message);
    return message;
  }

  /** Returns the home copy of an earlier far message, or else of a message that nobody has seen. */
  private DelayedMessage home(ModelStep.Request request, long offset) {
    if (far.isEmpty()) {
      far.add(Samples.far(Math.max(0, offset - 1), 0, LATER + request.due(), request.id()));
    }
    DelayedMessage of = far.get(request.back() % far.size());
    return Samples.home(offset, of.content().farDue(), of.id(), of.origin());
  }

  private List<Named> copies(List<ModelStep.Copy> copies) {
    return copies.stream().map(this::copy).toList();
  }

  private Named copy(ModelStep.Copy copy) {
    if (copy.far() != null && !far.isEmpty()) {
      DelayedMessage message = far.get(copy.far() % far.size());
      String id = message.id();
      if (id != null) {
        return new Named(id, message.origin());
      }
    }
    return new Named(copy.id(), Math.max(0, log - 2L * copy.back()));
  }

  private static Entry ask(long offset, long named, ModelStep.Request request, boolean covered) {
    StoredAsk stored = new StoredAsk(StoredAsk.Verb.CANCEL, named, request.due(), 0);
    return new Entry.Asked(new Ask(Due.asked(offset), request.id(), stored), covered);
  }

  private Function<ShardClient, Object> below(ModelStep.SettleBelow step) {
    int place = Math.min(step.place(), taken.size());
    Due key = place < taken.size() ? taken.get(place).key() : Due.NEVER;
    DelayedMessage[] messages = taken.subList(0, place).toArray(DelayedMessage[]::new);
    long next = Math.max(0, model.open().next() + step.aside());
    return shard -> shard.settleBelow(step.seq(), next, key, messages);
  }

  private List<Settled> settled(ModelStep.Settle step) {
    List<Settled> settled = new ArrayList<>();
    for (int i = 0; i < taken.size(); i++) {
      if ((step.which() >> i & 1) == 1) {
        settled.add(new Settled(taken.get(i), (step.keep() >> i & 1) == 1));
      }
    }
    return settled;
  }
}
