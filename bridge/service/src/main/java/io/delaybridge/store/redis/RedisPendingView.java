package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;
import static io.delaybridge.store.redis.RedisKeys.offset;

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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Pending messages as Redis has them; plain commands, pipelined over shards. */
public final class RedisPendingView implements PendingView {

  private static final Range<Double> ASKS =
      Range.from(Range.Boundary.unbounded(), Range.Boundary.excluding(0.0));
  private static final Range<Double> MESSAGES =
      Range.from(Range.Boundary.including(0.0), Range.Boundary.unbounded());

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
    List<RedisFuture<byte[]>> named =
        shards.stream().map(shard -> redis().hget(ids(shard), bytes(id))).toList();
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < shards.size(); i++) {
      ShardId shard = shards.get(i);
      byte[] entry = await(named.get(i));
      if (entry != null && entry.length > 2 * Long.BYTES) {
        ByteBuffer parts = ByteBuffer.wrap(entry, Long.BYTES, entry.length - Long.BYTES);
        long offset = parts.getLong();
        byKey(shard, new Due(number(shard, parts), offset)).ifPresent(found::add);
      }
    }
    return found;
  }

  @Override
  public Optional<Found> byKey(ShardId shard, Due key) {
    List<Object> member = await(run(Script.FIND, shard, bytes(key.time()), offset(key.offset())));
    return member == null || member.isEmpty() || member.get(0) == null
        ? Optional.empty()
        : found(shard, key, (byte[]) member.get(0));
  }

  /** By rank, so that a page in the middle of many equal due times is as quick as any other. */
  @Override
  public Slice page(ShardId shard, Due after, long before, int limit) {
    List<Object> list =
        Objects.requireNonNull(
            await(
                run(
                    Script.PAGE,
                    shard,
                    bytes(after.time()),
                    offset(after.offset()),
                    bytes(limit))));
    List<Found> page = new ArrayList<>();
    for (int i = 0; i + 1 < list.size(); i += 2) {
      byte[] member = (byte[]) list.get(i);
      Due key = key(shard, member, (byte[]) list.get(i + 1));
      if (key.time() >= before) {
        return new Slice(page, true);
      }
      found(shard, key, member).ifPresent(page::add);
    }
    return new Slice(page, list.size() < 2 * limit);
  }

  @Override
  public List<Summary> summaries(List<ShardId> shards, long now) {
    record Asked(
        ShardId shard,
        RedisFuture<byte[]> next,
        RedisFuture<Long> asks,
        RedisFuture<Long> pending,
        RedisFuture<Long> overdue,
        RedisFuture<List<ScoredValue<byte[]>>> first) {}
    Range<Double> late =
        Range.from(Range.Boundary.including(0.0), Range.Boundary.including((double) now));
    List<Asked> asked =
        shards.stream()
            .map(
                shard ->
                    new Asked(
                        shard,
                        redis().hget(meta(shard), bytes("next")),
                        redis().zcount(pending(shard), ASKS),
                        redis().zcount(pending(shard), MESSAGES),
                        redis().zcount(pending(shard), late),
                        redis().zrangebyscoreWithScores(pending(shard), MESSAGES, Limit.from(1))))
            .toList();
    List<Summary> summaries = new ArrayList<>();
    for (Asked one : asked) {
      byte[] next = await(one.next);
      List<ScoredValue<byte[]>> first = await(one.first);
      summaries.add(
          new Summary(
              one.shard,
              next == null ? ShardStore.ABSENT : number(one.shard, ByteBuffer.wrap(next)),
              orZero(await(one.asks)),
              orZero(await(one.pending)),
              orZero(await(one.overdue)),
              first == null || first.isEmpty() ? Long.MAX_VALUE : (long) first.get(0).getScore()));
    }
    return summaries;
  }

  @Override
  public List<Long> counts(List<ShardId> shards, List<Long> bounds) {
    List<List<RedisFuture<Long>>> asked = new ArrayList<>();
    for (int i = 0; i + 1 < bounds.size(); i++) {
      Range<Double> interval =
          Range.from(
              Range.Boundary.including((double) bounds.get(i)),
              Range.Boundary.excluding((double) bounds.get(i + 1)));
      asked.add(shards.stream().map(shard -> redis().zcount(pending(shard), interval)).toList());
    }
    return asked.stream()
        .map(each -> each.stream().mapToLong(count -> orZero(await(count))).sum())
        .toList();
  }

  @Override
  public Optional<Verdict> answer(ShardId shard, long offset) {
    byte[] answer = await(redis().get(RedisKeys.answer(prefix, shard, offset)));
    return answer == null
        ? Optional.empty()
        : Optional.of(Verdict.valueOf(new String(answer, StandardCharsets.UTF_8)));
  }

  /** Empty for what an ask has taken the place of: that is about to be answered. */
  private static Optional<Found> found(ShardId shard, Due key, byte[] member) {
    DelayedMessage message = Reply.message(shard, key, member);
    return message.ask() == null
        ? Optional.of(new Found(shard, message, member.length - Long.BYTES))
        : Optional.empty();
  }

  private static Due key(ShardId shard, byte[] member, byte[] score) {
    try {
      return new Due(number(shard, ByteBuffer.wrap(score)), RedisKeys.offset(member));
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

  private CompletableFuture<List<Object>> run(Script script, ShardId shard, byte[]... args) {
    return script.run(redis(), RedisKeys.of(prefix, shard), args);
  }

  private RedisClusterAsyncCommands<byte[], byte[]> redis() {
    return Answers.commands(connection);
  }

  private static <T> @Nullable T await(Future<T> future) {
    return Answers.await(future);
  }
}
