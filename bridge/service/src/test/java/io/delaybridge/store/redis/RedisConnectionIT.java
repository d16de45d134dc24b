package io.delaybridge.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.store.RedisServer;
import io.lettuce.core.RedisCommandTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisConnectionIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  @Test
  void aCommandThatTimesOutEndsNoConnectionThatWasMadeAfterIt(@TempDir Path dir) {
    RedisCommandTimeoutException late = new RedisCommandTimeoutException("sent a second ago");
    try (RedisServer redis = RedisServer.start(dir);
        RedisConnection connection = redis.connection(TIMEOUT)) {
      Object first = connection.commands();

      connection.failed(late);

      assertThat(connection.commands()).isSameAs(first);
      await()
          .untilAsserted(
              () -> {
                connection.failed(late);
                assertThat(connection.commands()).isNotSameAs(first);
              });
    }
  }
}
