package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Faults of Redis: it dies, loses data, returns to older data, is full or is slow. */
final class RedisRows {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DELAY = Duration.ofSeconds(6);
  private static final int KIB = 1 << 10;

  /** Removes a message of the shard, but nothing that belongs to the message. */
  private static final String REMOVE_ONE =
      """
      local count = redis.call('ZCARD', KEYS[1])
      if count == 0 then return 0 end
      local place = tonumber(ARGV[1]) % count
      return redis.call('ZREMRANGEBYRANK', KEYS[1], place, place)
      """;

  private RedisRows() {}

  static List<Row<?>> all() {
    return List.of(
        row("redis-kill", "SIGKILL of Redis", 200_000, 50, RedisRows::kill)
            .atLeastOnceRepeats(Repeats.TURN),
        row(
                "redis-truncated",
                "SIGKILL of Redis, 1 to 64 KB of its append-only file cut off",
                200_000,
                40,
                RedisRows::truncate)
            .atLeastOnceRepeats(Repeats.CHECKPOINT),
        row("redis-older", "Redis put back to an older copy", 200_000, 10, RedisRows::putBack)
            .atLeastOnceRepeats(Repeats.CHECKPOINT),
        row("flushall-live", "FLUSHALL while the bridges run", 100_000, 10, RedisRows::flush)
            .atLeastOnceRepeats(Repeats.CHECKPOINT),
        row(
                "flushall-stopped",
                "FLUSHALL while no bridge runs",
                100_000,
                10,
                RedisRows::flushStopped)
            .atLeastOnceRepeats(Repeats.CHECKPOINT),
        row("script-flush", "SCRIPT FLUSH each second", 100_000, 20, RedisRows::forgetScripts),
        row("redis-full", "maxmemory below what is used", 100_000, 20, RedisRows::squeeze)
            .atLeastOnceRepeats(Repeats.TURN),
        row("redis-slow", "SIGSTOP of Redis for up to 5 s", 100_000, 20, RedisRows::freeze)
            .atLeastOnceRepeats(Repeats.TURN),
        row("payload-deleted", "a payload deleted from Redis", 100_000, 20, RedisRows::remove)
            .atLeastOnceRepeats(Repeats.CHECKPOINT));
  }

  private static Row<Single> row(
      String name, String title, int messages, int injections, Fault<Single> fault) {
    return Row.of(
        name, title, Single::start, new Shape(messages, injections, 2, 4, SECOND, DELAY), fault);
  }

  private static boolean kill(World<Single> world, RandomGenerator random) {
    LocalRedis redis = world.servers().redis();
    redis.kill();
    Wait.millis(random.nextLong(SECOND.toMillis()));
    redis.start();
    return true;
  }

  private static boolean truncate(World<Single> world, RandomGenerator random) {
    LocalRedis redis = world.servers().redis();
    long cut = random.nextLong(KIB, 64L * KIB + 1);
    redis.kill();
    boolean done = redis.cutOff(cut);
    redis.start();
    return done;
  }

  static boolean putBack(World<Single> world, RandomGenerator random) {
    LocalRedis redis = world.servers().redis();
    Path copy = world.dir().resolve("older");
    redis.copyData(copy);
    boolean moved = world.awaitDelivered(1 + random.nextInt(2_000), Duration.ofSeconds(10));
    redis.kill();
    redis.restoreData(copy);
    redis.start();
    return moved;
  }

  static boolean flush(World<Single> world, RandomGenerator random) {
    return "OK".equals(world.servers().redis("FLUSHALL"));
  }

  private static boolean flushStopped(World<Single> world, RandomGenerator random) {
    world.fleet().kill();
    boolean flushed = "OK".equals(world.servers().redis("FLUSHALL"));
    world.fleet().start();
    return flushed;
  }

  private static boolean forgetScripts(World<Single> world, RandomGenerator random) {
    return "OK".equals(world.servers().redis("SCRIPT", "FLUSH"));
  }

  private static boolean squeeze(World<Single> world, RandomGenerator random) {
    world.servers().redis("CONFIG", "SET", "maxmemory", "1mb");
    Wait.millis(random.nextLong(200, 4_000));
    return "OK".equals(world.servers().redis("CONFIG", "SET", "maxmemory", "0"));
  }

  /** Redis executes the requests of the pause afterwards, when the callers may have given up. */
  private static boolean freeze(World<Single> world, RandomGenerator random) {
    LocalRedis redis = world.servers().redis();
    redis.pause();
    Wait.millis(random.nextLong(100, 5_000));
    redis.resume();
    return redis.isAlive();
  }

  private static boolean remove(World<Single> world, RandomGenerator random) {
    String key =
        "{%s:%s:%d}:pending"
            .formatted(
                BridgeConfig.PREFIX, BridgeConfig.INTAKE, random.nextInt(world.partitions()));
    String which = Integer.toString(random.nextInt(Integer.MAX_VALUE));
    return Long.valueOf(1).equals(world.servers().redis("EVAL", REMOVE_ONE, "1", key, which));
  }
}
