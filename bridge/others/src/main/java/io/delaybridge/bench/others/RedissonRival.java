package io.delaybridge.bench.others;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.config.Config;

/**
 * Redisson's delayed queue. Messages are scheduled with {@code offerAsync}, many at a time. A
 * blocking poll receives the first message and another poll up to a thousand more.
 */
// A queue of the commercial edition supersedes the delayed queue.
@SuppressWarnings("deprecation")
final class RedissonRival implements Rival {

  private static final int IN_FLIGHT = 5_000;
  private static final int AT_ONCE = 1_000;

  private final RedissonClient client;
  private final RBlockingQueue<byte[]> queue;
  private final RDelayedQueue<byte[]> delayed;
  private final Semaphore free = new Semaphore(IN_FLIGHT);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private RedissonRival(String uri) {
    Config config = new Config();
    config.setCodec(ByteArrayCodec.INSTANCE);
    config.useSingleServer().setAddress(uri);
    client = Redisson.create(config);
    // Data left by this run must not disturb the next.
    queue = client.getBlockingQueue("others-" + ProcessHandle.current().pid());
    delayed = client.getDelayedQueue(queue);
  }

  /** Takes the address of Redis, the size of a message in bytes and the number of messages. */
  public static void main(String[] args) throws Exception {
    try (RedissonRival rival = new RedissonRival(args[0])) {
      new Trial(rival, Integer.parseInt(args[1])).run(Integer.parseInt(args[2]));
    }
  }

  @Override
  public void schedule(byte[] value, long due) throws InterruptedException {
    free.acquire();
    var unused =
        delayed
            .offerAsync(value, Math.max(0, due - System.currentTimeMillis()), TimeUnit.MILLISECONDS)
            .whenComplete(
                (nothing, problem) -> {
                  if (problem != null) {
                    failure.compareAndSet(null, problem);
                  }
                  free.release();
                });
  }

  @Override
  public void flush() throws InterruptedException {
    free.acquire(IN_FLIGHT);
    free.release(IN_FLIGHT);
    Throwable problem = failure.get();
    if (problem != null) {
      throw new IllegalStateException("a message could not be scheduled", problem);
    }
  }

  @Override
  public void receive(LongConsumer due) throws InterruptedException {
    byte[] first = queue.poll(100, TimeUnit.MILLISECONDS);
    if (first == null) {
      return;
    }
    due.accept(ByteBuffer.wrap(first).getLong());
    List<byte[]> others = queue.poll(AT_ONCE);
    others.forEach(value -> due.accept(ByteBuffer.wrap(value).getLong()));
  }

  @Override
  public long bytes() {
    return Long.parseLong(
        client
            .getRedisNodes(RedisNodes.SINGLE)
            .getInstance()
            .info(RedisNode.InfoSection.MEMORY)
            .getOrDefault("used_memory_dataset", "0"));
  }

  @Override
  public void close() {
    delayed.destroy();
    client.shutdown();
  }
}
