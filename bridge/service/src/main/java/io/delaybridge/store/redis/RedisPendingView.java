package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.StoreException;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Shows the pending messages that Redis has, by plain commands that are pipelined over shards. */
public final class RedisPendingView implements PendingView {

  private static final Range<byte[]> ASKS = keys(Due.asked(0), firstAt(0));
  private static final Range<byte[]> MESSAGES = keys(firstAt(0), Due.NEVER);

  /** How many ids of repeating messages are read at once. */
  private static final int PAGE = 1_000;

  private final RedisConnection connection;
  private final String prefix;

  /**
   * @param connection may be shared
   * @param prefix first part of every key
   */
  public RedisPendingView(RedisConnection connection, String prefix) {
    this.connection = connection;
    this.prefix = prefix;
  }

  @Override
  public List<Found> byId(List<ShardId> shards, String id) {
    List<Found> found = new ArrayList<>();
    entries(shards, id).forEach((shard, entry) -> byKey(shard, entry.key()).ifPresent(found::add));
    return found;
  }

  @Override
  public List<Said> said(List<ShardId> shards, String id) {
    return entries(shards, id).entrySet().stream()
        .map(
            each ->
                new Said(
                    each.getKey(),
                    each.getValue().origin(),
                    each.getValue().isFar(),
                    each.getValue().at()))
        .toList();
  }

  private Map<ShardId, RedisKeys.Entry> entries(List<ShardId> shards, String id) {
    List<RedisFuture<byte[]>> named =
        shards.stream().map(shard -> redis().hget(ids(shard), bytes(id))).toList();
    Map<ShardId, RedisKeys.Entry> entries = new LinkedHashMap<>();
    for (int i = 0; i < shards.size(); i++) {
      ShardId shard = shards.get(i);
      RedisKeys.entry(await(named.get(i))).ifPresent(entry -> entries.put(shard, entry));
    }
    return entries;
  }

  @Override
  public Optional<Found> byKey(ShardId shard, Due key) {
    List<byte[]> members = members(shard, keys(key, behind(key)), 1);
    return members.isEmpty() ? Optional.empty() : found(shard, members.get(0));
  }

  @Override
  public Slice page(ShardId shard, Due after, long before, int limit, int maxBytes) {
    CompletableFuture<List<Object>> reply =
        Script.PAGE.run(
            redis(),
            new byte[][] {pending(shard)},
            RedisKeys.key(behind(after)),
            RedisKeys.key(firstAt(before)),
            bytes(limit),
            bytes(maxBytes));
    List<byte[]> members = new ArrayList<>();
    Objects.requireNonNull(await(reply)).forEach(member -> members.add((byte[]) member));
    boolean isMore = members.remove(0)[0] == '1';
    List<Found> page = new ArrayList<>();
    members.forEach(member -> found(shard, member).ifPresent(page::add));
    return new Slice(page, isMore ? key(shard, members.get(members.size() - 1)) : null);
  }

  @Override
  public List<Repeating> repeating(
      ShardId shard, long from, @Nullable String after, long before, int limit) {
    Range<Long> due = Range.from(Range.Boundary.including(from), Range.Boundary.excluding(before));
    byte[] last = after == null ? new byte[0] : bytes(after);
    List<Repeating> repeating = new ArrayList<>();
    List<ScoredValue<byte[]>> page;
    int read = 0;
    do {
      page = repeating(shard, due, Limit.create(read, PAGE));
      for (ScoredValue<byte[]> one : page) {
        long time = (long) one.getScore();
        boolean isBehind = time > from || Arrays.compareUnsigned(one.getValue(), last) > 0;
        if (isBehind && repeating.size() < limit) {
          repeating.add(new Repeating(new String(one.getValue(), StandardCharsets.UTF_8), time));
        }
      }
      read += PAGE;
    } while (repeating.size() < limit && page.size() == PAGE);
    return repeating;
  }

  private List<ScoredValue<byte[]>> repeating(ShardId shard, Range<Long> due, Limit limit) {
    List<ScoredValue<byte[]>> page =
        await(redis().zrangebyscoreWithScores(repeats(shard), due, limit));
    return page == null ? List.of() : page;
  }

  @Override
  public List<Summary> summaries(List<ShardId> shards, long now) {
    record Asked(
        ShardId shard,
        RedisFuture<byte[]> next,
        RedisFuture<Long> asks,
        RedisFuture<Long> pending,
        RedisFuture<Long> overdue,
        RedisFuture<List<byte[]>> first) {}
    Range<byte[]> late = keys(firstAt(0), firstAt(now + 1));
    List<Asked> asked =
        shards.stream()
            .map(
                shard ->
                    new Asked(
                        shard,
                        redis().hget(meta(shard), bytes("next")),
                        redis().zlexcount(pending(shard), ASKS),
                        redis().zlexcount(pending(shard), MESSAGES),
                        redis().zlexcount(pending(shard), late),
                        redis().zrangebylex(pending(shard), MESSAGES, Limit.from(1))))
            .toList();
    List<Summary> summaries = new ArrayList<>();
    for (Asked one : asked) {
      byte[] next = await(one.next);
      List<byte[]> first = await(one.first);
      summaries.add(
          new Summary(
              one.shard,
              next == null ? ShardStore.ABSENT : number(one.shard, ByteBuffer.wrap(next)),
              orZero(await(one.asks)),
              orZero(await(one.pending)),
              orZero(await(one.overdue)),
              first == null || first.isEmpty()
                  ? Long.MAX_VALUE
                  : deliverableSince(one.shard, first.get(0))));
    }
    return summaries;
  }

  /** Asks for one interval after the other: Lettuce refuses more than it may have under way. */
  @Override
  public List<Long> counts(List<ShardId> shards, List<Long> bounds) {
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i + 1 < bounds.size(); i++) {
      Range<byte[]> interval = keys(firstAt(bounds.get(i)), firstAt(bounds.get(i + 1)));
      List<RedisFuture<Long>> asked =
          shards.stream().map(shard -> redis().zlexcount(pending(shard), interval)).toList();
      counts.add(asked.stream().mapToLong(count -> orZero(await(count))).sum());
    }
    return counts;
  }

  @Override
  public Optional<Verdict> answer(ShardId shard, long offset) {
    byte[] answer = await(redis().get(RedisKeys.answer(prefix, shard, offset)));
    return answer == null
        ? Optional.empty()
        : Optional.of(Verdict.valueOf(new String(answer, StandardCharsets.UTF_8)));
  }

  /** The members with a key from the first one, inclusive, to the second one, exclusive. */
  private static Range<byte[]> keys(Due from, Due to) {
    return Range.from(
        Range.Boundary.including(RedisKeys.key(from)), Range.Boundary.excluding(RedisKeys.key(to)));
  }

  /** A key below every message that is due then. */
  private static Due firstAt(long time) {
    return new Due(time, 0);
  }

  private static Due behind(Due key) {
    return key.offset() == Long.MAX_VALUE
        ? firstAt(key.time() + 1)
        : new Due(key.time(), key.offset() + 1);
  }

  private List<byte[]> members(ShardId shard, Range<byte[]> keys, int most) {
    List<byte[]> members = await(redis().zrangebylex(pending(shard), keys, Limit.from(most)));
    return members == null ? List.of() : members;
  }

  /** Empty if an ask has taken the place of the message: the ask is about to be answered. */
  private static Optional<Found> found(ShardId shard, byte[] member) {
    DelayedMessage message = Reply.message(shard, key(shard, member), member);
    return message.ask() == null
        ? Optional.of(new Found(shard, message, member.length - RedisKeys.KEY_BYTES))
        : Optional.empty();
  }

  private static long deliverableSince(ShardId shard, byte[] member) {
    Due key = key(shard, member);
    try {
      return Reply.message(shard, key, member).deliverableSince();
    } catch (StoreException.Corrupt e) {
      // The owner of the shard reports this. The state of the other shards must be returned
      // nevertheless.
      return key.time();
    }
  }

  private static Due key(ShardId shard, byte[] member) {
    try {
      return RedisKeys.key(member);
    } catch (IllegalArgumentException e) {
      throw new StoreException.Corrupt(shard, String.valueOf(e.getMessage()));
    }
  }

  private static long number(ShardId shard, ByteBuffer text) {
    return Reply.decimal(shard, StandardCharsets.UTF_8.decode(text).toString());
  }

  private static long orZero(@Nullable Long count) {
    return count == null ? 0 : count;
  }

  private byte[] pending(ShardId shard) {
    return RedisKeys.of(prefix, shard)[0];
  }

  private byte[] ids(ShardId shard) {
    return RedisKeys.of(prefix, shard)[1];
  }

  private byte[] meta(ShardId shard) {
    return RedisKeys.of(prefix, shard)[2];
  }

  private byte[] repeats(ShardId shard) {
    return RedisKeys.of(prefix, shard)[3];
  }

  private RedisClusterAsyncCommands<byte[], byte[]> redis() {
    return Answers.commands(connection);
  }

  private <T> @Nullable T await(Future<T> future) {
    return Answers.await(connection, future);
  }
}
