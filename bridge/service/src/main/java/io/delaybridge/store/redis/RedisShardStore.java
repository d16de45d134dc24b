package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.store.Entry;
import io.delaybridge.store.ShardStore;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.SetArgs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Keeps shards in Redis. Each operation is one script. See {@link RedisKeys} for the layout. */
public final class RedisShardStore implements ShardStore {

  // Bounds of one script call: Redis serves nobody else while it runs.
  private static final int MAX_ENTRIES = 500;
  private static final int MAX_BYTES = 1 << 20;
  private static final Duration ANSWER_LIVES = Duration.ofMinutes(1);

  private final RedisConnection connection;
  private final String prefix;
  private final ShardCalls calls;
  private final String name = UUID.randomUUID().toString();

  /**
   * The owner name of each shard, a new one each time that the shard is opened. A sweep that was
   * sent before must find that it comes too late.
   */
  private final Map<ShardId, byte[]> owners = new ConcurrentHashMap<>();

  private final AtomicLong opened = new AtomicLong();

  /**
   * @param connection used by this store alone, and closed with it. A store that only reads may
   *     share a connection, and is not closed
   * @param prefix first part of every key
   */
  public RedisShardStore(RedisConnection connection, String prefix) {
    this.connection = connection;
    this.prefix = prefix;
    this.calls = new ShardCalls(connection, prefix);
  }

  @Override
  public CompletableFuture<Opened> open(Shard shard) {
    byte[] owner = bytes(name + "-" + opened.incrementAndGet());
    owners.put(shard.id(), owner);
    return calls.run(
        Script.OPEN,
        shard,
        new byte[][] {bytes(shard.topicId()), owner},
        reply ->
            new Opened(
                reply.number(1),
                reply.number(2),
                reply.number(3),
                reply.number(4),
                index(reply.number(5)),
                reply.number(6)));
  }

  private static Index index(long number) {
    return number == 0 ? Index.NEAR : number == 1 ? Index.RECALLED : Index.COMPLETE;
  }

  @Override
  public CompletableFuture<Ingested> ingest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries) {
    return ingest(shard, expectedNext, newNext, entries, false);
  }

  @Override
  public CompletableFuture<Ingested> ingestRest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries) {
    return ingest(shard, expectedNext, newNext, entries, true);
  }

  private CompletableFuture<Ingested> ingest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries, boolean evenIfFull) {
    List<byte[][]> parts = new ArrayList<>();
    byte[] topicId = bytes(shard.topicId());
    long expected = expectedNext;
    IngestArguments arguments = new IngestArguments(shard.isRecalled(), evenIfFull);
    for (Entry entry : entries) {
      if (arguments.isFull(MAX_ENTRIES, MAX_BYTES)) {
        // Cut before this entry. The offsets in between are not skipped: they hold no request, or
        // one that is settled.
        long cut = offset(entry, newNext);
        if (cut < newNext) {
          parts.add(arguments.with(topicId, bytes(expected), bytes(cut), owner(shard)));
          expected = cut;
          arguments = new IngestArguments(shard.isRecalled(), evenIfFull);
        }
      }
      arguments.add(entry);
    }
    parts.add(arguments.with(topicId, bytes(expected), bytes(newNext), owner(shard)));
    return calls
        .run(
            Script.INGEST,
            shard,
            parts,
            reply -> new Ingested(reply.is("OK"), reply.number(1), reply.number(2)))
        .stream()
        .reduce(RedisShardStore::then)
        .orElseThrow();
  }

  /** Empty if this store has not opened the shard. */
  private byte[] owner(Shard shard) {
    return owners.getOrDefault(shard.id(), new byte[0]);
  }

  private static long offset(Entry entry, long unknown) {
    if (entry instanceof Entry.Asked asked) {
      return asked.ask().offset();
    }
    return entry instanceof Entry.Schedule schedule ? schedule.message().readAt() : unknown;
  }

  /**
   * The parts are pipelined. If one finds a gap, so do those behind it, and the first one counts.
   */
  private static CompletableFuture<Ingested> then(
      CompletableFuture<Ingested> before, CompletableFuture<Ingested> after) {
    return before.thenCombine(after, (first, second) -> first.applied() ? second : first);
  }

  @Override
  public CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes) {
    return calls
        .run(
            Script.TAKE,
            shard,
            new byte[][] {
              bytes(shard.topicId()), RedisKeys.due(now + 1), bytes(maxCount), bytes(maxBytes)
            },
            Reply::taken)
        .thenCompose(taken -> named(shard, taken));
  }

  /**
   * Checks that the index names the messages: one that it does not name may have been cancelled or
   * replaced in vain. Runs on Lettuce's own thread, which must not connect.
   */
  private CompletableFuture<Taken> named(Shard shard, Taken taken) {
    List<byte[]> args = new ArrayList<>();
    args.add(bytes(shard.topicId()));
    for (DelayedMessage message : taken.messages()) {
      String id = message.id();
      if (id != null && !message.isFar()) {
        args.add(RedisKeys.key(message.key()));
        args.add(bytes(id));
      }
    }
    return args.size() == 1
        ? CompletableFuture.completedFuture(taken)
        : calls.runIfConnected(Script.NAMED, shard, args.toArray(byte[][]::new), reply -> taken);
  }

  @Override
  public CompletableFuture<Long> settle(Shard shard, long seq, List<Settled> messages) {
    SettleArguments arguments = settling(shard, seq);
    messages.forEach(arguments::message);
    return settle(shard, arguments);
  }

  @Override
  public CompletableFuture<Long> settleBelow(
      Shard shard, long seq, long next, Due key, List<Settled> messages) {
    SettleArguments arguments = settling(shard, seq);
    arguments.below(next, key);
    messages.forEach(arguments::id);
    return settle(shard, arguments);
  }

  @Override
  public CompletableFuture<Void> place(Shard shard, long seq, List<Named> copies) {
    SettleArguments arguments = settling(shard, seq);
    copies.forEach(arguments::place);
    return settle(shard, arguments).thenAccept(left -> {});
  }

  private SettleArguments settling(Shard shard, long seq) {
    return new SettleArguments(MAX_ENTRIES, bytes(shard.topicId()), bytes(seq), owner(shard));
  }

  private CompletableFuture<Long> settle(Shard shard, SettleArguments arguments) {
    return calls.run(Script.SETTLE, shard, arguments.calls(), reply -> reply.number(1)).stream()
        .reduce((before, after) -> before.thenCombine(after, (ignored, left) -> left))
        .orElseThrow();
  }

  @Override
  public CompletableFuture<Void> answer(Shard shard, long offset, Verdict verdict) {
    byte[] key = RedisKeys.answer(prefix, shard.id(), offset);
    SetArgs minute = SetArgs.Builder.ex(ANSWER_LIVES);
    return calls.guard(
        () -> connection.commands().set(key, bytes(verdict.name()), minute), done -> null);
  }

  @Override
  public CompletableFuture<Long> drop(Shard shard) {
    return calls.guard(
        () -> connection.commands().unlink(RedisKeys.all(prefix, shard.id())), removed -> removed);
  }

  @Override
  public CompletableFuture<Ids> ids(Shard shard, String cursor, int count) {
    byte[] key = RedisKeys.of(prefix, shard.id())[1];
    return calls.guard(
        shard,
        () ->
            connection.commands().hscan(key, ScanCursor.of(cursor), ScanArgs.Builder.limit(count)),
        page ->
            new Ids(
                page.isFinished() ? "0" : page.getCursor(),
                page.getMap().keySet().stream()
                    .map(id -> new String(id, StandardCharsets.UTF_8))
                    .toList()));
  }

  @Override
  public CompletableFuture<Long> sweep(Shard shard, long fedTo, List<String> ids) {
    List<byte[]> args = new ArrayList<>();
    args.add(bytes(shard.topicId()));
    args.add(owner(shard));
    args.add(bytes(Long.toString(fedTo)));
    ids.forEach(id -> args.add(bytes(id)));
    return calls.run(Script.SWEEP, shard, args.toArray(byte[][]::new), reply -> reply.number(1));
  }

  @Override
  public CompletableFuture<Long> recall(
      Shard shard, long expectedNext, long newNext, List<Named> copies, Page page) {
    List<byte[][]> pages = new ArrayList<>();
    List<List<Named>> named = NamedArguments.pages(copies, MAX_ENTRIES);
    long begun = expectedNext == ABSENT ? newNext : expectedNext;
    String before = page.after() == Page.FIRST ? "" : Long.toString(page.after());
    for (int i = 0; i < named.size(); i++) {
      boolean ends = i == named.size() - 1;
      String after = ends ? Long.toString(page.upTo()) : page.upTo() + "/" + i;
      pages.add(
          NamedArguments.recalled(
              named.get(i),
              bytes(shard.topicId()),
              bytes(i == 0 ? expectedNext : begun),
              bytes(newNext),
              owner(shard),
              bytes(page.last() && ends ? 1 : 0),
              bytes(before),
              bytes(after)));
      before = after;
    }
    return recall(shard, begun, pages, 0);
  }

  /**
   * Sends one page after the other, because the last one says that all were recalled. The pages
   * after the first are sent on Lettuce's own thread, which must not connect.
   */
  private CompletableFuture<Long> recall(Shard shard, long begun, List<byte[][]> pages, int at) {
    Function<Reply, Long> read = reply -> reply.number(1);
    CompletableFuture<Long> answer =
        at == 0
            ? calls.run(Script.RECALL, shard, pages.get(at), read)
            : calls.runIfConnected(Script.RECALL, shard, pages.get(at), read);
    return answer.thenCompose(
        next ->
            next == begun && at + 1 < pages.size()
                ? recall(shard, begun, pages, at + 1)
                : CompletableFuture.completedFuture(next));
  }

  @Override
  public CompletableFuture<Boolean> complete(Shard shard, long fedTo) {
    return calls.run(
        Script.COMPLETE,
        shard,
        new byte[][] {bytes(shard.topicId()), owner(shard), bytes(fedTo)},
        reply -> reply.number(1) == 1);
  }

  @Override
  public CompletableFuture<Judged> judge(Shard shard, List<Named> copies) {
    List<byte[][]> pages =
        NamedArguments.pages(copies, MAX_ENTRIES).stream()
            .map(page -> NamedArguments.judged(page, bytes(shard.topicId())))
            .toList();
    return calls.run(Script.JUDGE, shard, pages, Reply::judged).stream()
        .reduce((before, after) -> before.thenCombine(after, RedisShardStore::both))
        .orElseThrow();
  }

  private static Judged both(Judged first, Judged second) {
    List<Boolean> alive = new ArrayList<>(first.alive());
    alive.addAll(second.alive());
    boolean same = first.next() == second.next();
    return new Judged(first.next(), same && first.complete() && second.complete(), alive);
  }

  @Override
  public CompletableFuture<Double> memoryUse() {
    return calls.guard(connection::askMemory, RedisMemory::use);
  }

  @Override
  public CompletableFuture<Void> ping() {
    return calls.guard(connection::askAny, answer -> answer).thenAccept(answer -> {});
  }

  @Override
  public void close() {
    connection.close();
  }
}
