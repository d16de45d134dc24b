package io.delaybridge.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.store.RedisServer;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisConnectionIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(4);
  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void aCommandThatTimesOutEndsNoConnectionThatWasMadeAfterIt(@TempDir Path dir) {
    RedisCommandTimeoutException late = new RedisCommandTimeoutException("sent some seconds ago");
    try (RedisServer redis = RedisServer.start(dir);
        RedisConnection connection = redis.connection(TIMEOUT)) {
      Object first = connection.commands();

      connection.failed(late);

      assertThat(connection.commands()).isSameAs(first);
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                connection.failed(late);
                assertThat(connection.commands()).isNotSameAs(first);
              });
    }
  }

  /** Connecting takes a Lettuce thread; such a thread would wait for itself. */
  @Test
  void toTellOfAFailureNeverWaitsForWhoeverConnects() throws Exception {
    AtomicBoolean accepted = new AtomicBoolean();
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        RedisConnection connection =
            new RedisConnection(
                new RedisAddress(
                    "redis://127.0.0.1:" + mute.getLocalPort(),
                    false,
                    TIMEOUT.multipliedBy(3),
                    RedisTls.DEFAULT))) {
      Thread server =
          new Thread(
              () -> {
                try {
                  mute.accept();
                  accepted.set(true);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      server.start();
      CompletableFuture<Object> connecting = CompletableFuture.supplyAsync(connection::commands);
      await().atMost(SOON).untilTrue(accepted);

      CompletableFuture<Void> told =
          CompletableFuture.runAsync(
              () -> connection.failed(new RedisException("READONLY You can't write")));

      await().atMost(TIMEOUT.multipliedBy(2)).until(told::isDone);
      assertThat(connecting).isNotDone();
      server.join();
    }
  }
}
