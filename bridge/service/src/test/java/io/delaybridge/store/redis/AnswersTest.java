package io.delaybridge.store.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AnswersTest {

  @Test
  void doesNotWaitForEver() {
    RedisAddress nowhere =
        new RedisAddress("redis://127.0.0.1:1", false, Duration.ofSeconds(1), RedisTls.DEFAULT);
    try (RedisConnection connection = new RedisConnection(nowhere)) {
      assertThatThrownBy(
              () -> Answers.await(connection, new CompletableFuture<>(), Duration.ofMillis(1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("did not answer");
    }
  }
}
