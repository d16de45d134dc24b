package io.delaybridge.store.redis;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client whose connections have no blocking API. Nothing here uses that API, but Lettuce creates
 * it with every connection: a proxy and a table of its hundreds of methods. That takes a tenth of
 * the processor time that a bridge needs to start.
 */
final class AsyncRedisClient extends RedisClient {

  AsyncRedisClient(ClientResources resources, RedisURI address) {
    super(resources, address);
  }

  @Override
  protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
      RedisChannelWriter writer, PushHandler push, RedisCodec<K, V> codec, Duration timeout) {
    return new StatefulRedisConnectionImpl<>(
        writer, push, codec, timeout, getOptions().getJsonParser()) {
      @Override
      protected @Nullable RedisCommands<K, V> newRedisSyncCommandsImpl() {
        return null;
      }
    };
  }
}
