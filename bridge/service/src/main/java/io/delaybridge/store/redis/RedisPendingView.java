package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;
import static io.delaybridge.store.redis.RedisKeys.member;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.CorruptMessageException;
import io.delaybridge.schemas.StoredMessageCodec;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.StoreException;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
      byte[] entry = await(named.get(i));
      if (entry != null && entry.length == 2 * Long.BYTES) {
        long current = RedisKeys.offset(Arrays.copyOfRange(entry, Long.BYTES, entry.length));
        byOffset(shards.get(i), current).ifPresent(found::add);
      }
    }
    return found;
  }

  @Override
  public Optional<Found> byOffset(ShardId shard, long offset) {
    RedisFuture<Double> score = redis().zscore(due(shard), member(offset));
    RedisFuture<byte[]> payload = redis().hget(messages(shard), member(offset));
    Double time = await(score);
    byte[] stored = await(payload);
    return time == null || stored == null
        ? Optional.empty()
        : found(shard, new Due(time.longValue(), offset), stored);
  }

  @Override
  public Slice page(ShardId shard, Due after, long before, int limit) {
    List<ScoredValue<byte[]>> keys = new ArrayList<>(behind(shard, after, limit));
    boolean last = keys.size() < limit;
    last |= keys.removeIf(key -> key.getScore() >= before);
    if (keys.isEmpty()) {
      return new Slice(List.of(), last);
    }
    byte[][] members = keys.stream().map(ScoredValue::getValue).toArray(byte[][]::new);
    List<KeyValue<byte[], byte[]>> payloads =
        Objects.requireNonNull(await(redis().hmget(messages(shard), members)));
    List<Found> page = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (payloads.get(i).hasValue()) {
        Due key = new Due((long) keys.get(i).getScore(), RedisKeys.offset(keys.get(i).getValue()));
        found(shard, key, payloads.get(i).getValue()).ifPresent(page::add);
      }
    }
    return new Slice(page, last);
  }

  /**
   * By rank, so that a page in the middle of many equal due times is as quick as any other. If the
   * message at which the last page ended is gone, so are most before it, and the page begins with
   * its due time.
   */
  private List<ScoredValue<byte[]>> behind(ShardId shard, Due after, int limit) {
    Range.Boundary<Double> end =
        after.offset() == Long.MAX_VALUE
            ? Range.Boundary.including((double) after.time())
            : Range.Boundary.excluding((double) after.time());
    RedisFuture<Long> rank = redis().zrank(due(shard), member(after.offset()));
    RedisFuture<Long> earlier =
        redis().zcount(due(shard), Range.from(Range.Boundary.unbounded(), end));
    Long known = await(rank);
    long from = known == null ? orZero(await(earlier)) : known + 1;
    return Objects.requireNonNull(
        await(redis().zrangeWithScores(due(shard), from, from + limit - 1)));
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
                        redis().zcount(due(shard), ASKS),
                        redis().zcount(due(shard), MESSAGES),
                        redis().zcount(due(shard), late),
                        redis().zrangebyscoreWithScores(due(shard), MESSAGES, Limit.from(1))))
            .toList();
    List<Summary> summaries = new ArrayList<>();
    for (Asked one : asked) {
      byte[] next = await(one.next);
      List<ScoredValue<byte[]>> first = await(one.first);
      summaries.add(
          new Summary(
              one.shard,
              next == null ? ShardStore.ABSENT : number(one.shard, next),
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
      asked.add(shards.stream().map(shard -> redis().zcount(due(shard), interval)).toList());
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
  private static Optional<Found> found(ShardId shard, Due key, byte[] stored) {
    try {
      DelayedMessage message =
          new DelayedMessage(key, StoredMessageCodec.decode(stored, key.time(), key.offset()));
      return message.ask() == null
          ? Optional.of(new Found(shard, message, stored.length))
          : Optional.empty();
    } catch (CorruptMessageException e) {
      throw new StoreException.Corrupt(shard, "message " + key.offset() + ": " + e.getMessage());
    }
  }

  private static long number(ShardId shard, byte[] text) {
    try {
      return Long.parseLong(new String(text, StandardCharsets.UTF_8));
    } catch (NumberFormatException e) {
      throw new StoreException.Corrupt(shard, "next is not a number");
    }
  }

  private static long orZero(@Nullable Long count) {
    return count == null ? 0 : count;
  }

  private byte[] due(ShardId shard) {
    return RedisKeys.of(prefix, shard)[0];
  }

  private byte[] messages(ShardId shard) {
    return RedisKeys.of(prefix, shard)[1];
  }

  private byte[] ids(ShardId shard) {
    return RedisKeys.of(prefix, shard)[2];
  }

  private byte[] meta(ShardId shard) {
    return RedisKeys.of(prefix, shard)[3];
  }

  private RedisClusterAsyncCommands<byte[], byte[]> redis() {
    return Answers.commands(connection);
  }

  private static <T> @Nullable T await(RedisFuture<T> future) {
    return Answers.await(future);
  }
}
