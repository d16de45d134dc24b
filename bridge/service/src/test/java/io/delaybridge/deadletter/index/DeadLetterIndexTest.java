package io.delaybridge.deadletter.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.deadletter.alarms.Alarm;
import io.delaybridge.deadletter.alarms.AlarmSettings;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

class DeadLetterIndexTest {

  private static final AlarmSettings NO_ALARM =
      new AlarmSettings(0, Duration.ofMinutes(1), Duration.ofMinutes(1), null);

  /** Every call of these ends with an error that is no exception. */
  private static <T> T broken(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              throw new NoClassDefFoundError("out of luck");
            }));
  }

  @Test
  void anErrorDoesNotEndTheIndexWhichSaysWhyItIsDown() throws InterruptedException {
    DeadLetterIndex index =
        new DeadLetterIndex(
            new DeadLetterSettings(
                "group", "a", "dead", "marks", Set.of(), topic -> 0, 1, 1, NO_ALARM),
            broken(DeadLetterClients.class),
            new Alarm(
                NO_ALARM, "a", () -> Instant.EPOCH, Runnable::run, claim -> {}, claim -> true),
            new TopicWatch(broken(Admin.class), "dead", "marks", gone -> {}));
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
}
