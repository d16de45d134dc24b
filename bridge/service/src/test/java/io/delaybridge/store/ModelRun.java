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
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes each step on the model and on the real shard, and compares the answers and what is left.
 */
final class ModelRun {

  private static final List<@Nullable String> IDS = Arrays.asList("a", "b", "c", null);

  private final ShardClient model;
  private final ShardClient real;
  private long log;
  private List<DelayedMessage> taken = List.of();

  /**
   * @param base where the log of the intake begins
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
      List<Named> copies = copies(recall.back());
      long begins = Math.max(next, log);
      return shard -> shard.recall(next + recall.aside(), begins, recall.last(), copies);
    }
    if (step instanceof ModelStep.Complete complete) {
      long fedTo = Math.max(0, model.open().next() + complete.aside());
      return shard -> shard.complete(fedTo);
    }
    if (step instanceof ModelStep.Judge judge) {
      List<Named> copies = copies(judge.back());
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
    return shard -> shard.ingest(next + step.aside(), newNext, entries.toArray(Entry[]::new));
  }

  private static Entry entry(ModelStep.Request request, long offset) {
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
      case FAR -> Samples.schedule(Samples.far(offset, request.due(), id));
      case COVERED_FAR -> Samples.covered(Samples.far(offset, request.due(), id));
      case HOME -> Samples.schedule(home(offset, request));
      case COVERED_HOME -> Samples.covered(home(offset, request));
    };
  }

  /** Of an origin that nothing else has: an odd one. What it is due at and named follows. */
  private static DelayedMessage home(long offset, ModelStep.Request request) {
    long origin = Math.max(1, offset - 2L * request.back() + 1);
    return Samples.home(offset, origin % 9, IDS.get((int) (origin / 2 % IDS.size())), origin);
  }

  private List<Named> copies(List<Integer> backs) {
    long next = Math.max(0, model.open().next());
    return backs.stream()
        .map(back -> Math.max(1, next - 2L * back + 1))
        .map(origin -> new Named("abc".substring((int) (origin % 3)).substring(0, 1), origin))
        .toList();
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
