package io.delaybridge.admin;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TickerTest {

  /** Its log asks for the message. */
  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("out of luck");
    }
  }

  @Test
  void aTaskWhoseFailureCannotEvenBeLoggedIsRunAgain() {
    AtomicInteger runs = new AtomicInteger();
    Ticker ticker =
        new Ticker(
            "ticker under test",
            Duration.ofMillis(1),
            () -> {
              runs.incrementAndGet();
              throw new Unspeakable();
            });
    ticker.start();
    try {
      await().atMost(Duration.ofSeconds(30)).until(() -> runs.get() > 1);
    } finally {
      ticker.stop();
    }
  }
}
