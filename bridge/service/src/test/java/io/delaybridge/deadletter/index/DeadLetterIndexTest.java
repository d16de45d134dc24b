package io.delaybridge.deadletter.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.deadletter.alarms.Alarm;
import io.delaybridge.deadletter.alarms.AlarmSettings;
import io.delaybridge.message.Reading;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.Test;

class DeadLetterIndexTest {

  private static final AlarmSettings NO_ALARM =
      new AlarmSettings(0, Duration.ofMinutes(1), Duration.ofMinutes(1), null);

  /** Every call of these ends with this. */
  private static <T> T broken(Class<T> type, Supplier<Throwable> failure) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              throw failure.get();
            }));
  }

  private static DeadLetterIndex index(Supplier<Throwable> failure) {
    return new DeadLetterIndex(
        new DeadLetterSettings(
            "group", "a", "dead", "marks", Set.of(), topic -> Reading.latest(0, 0), 1, 1, NO_ALARM),
        broken(DeadLetterClients.class, failure),
        new Alarm(NO_ALARM, "a", () -> Instant.EPOCH, Runnable::run, claim -> {}, claim -> true),
        new TopicWatch(broken(Admin.class, failure), "dead", "marks", gone -> {}));
  }

  @Test
  void anErrorDoesNotEndTheIndexWhichSaysWhyItIsDown() throws InterruptedException {
    DeadLetterIndex index = index(() -> new NoClassDefFoundError("out of luck"));
    index.start();
    try {
      await()
          .dontCatchUncaughtExceptions()
          .atMost(Duration.ofSeconds(30))
          .until(() -> index.status().state() == IndexStatus.State.DOWN);
      assertThat(index.status().toString()).contains("out of luck");
    } finally {
      index.stop();
    }
  }

  /** Nobody restarts it. */
  @Test
  void anIndexThatWasInterruptedIsDown() {
    DeadLetterIndex index = index(() -> new InterruptException("out of luck"));

    index.run();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(index.status().state()).isEqualTo(IndexStatus.State.DOWN);
  }
}
