package io.delaybridge.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.client.DelayedRecords;
import io.delaybridge.spring.test.FakeDelayOperations.Pending;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class FakeDelayOperationsTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Instant NEW_YEAR = Instant.parse("2030-01-01T00:00:00Z");

  private final FakeDelayOperations later = new FakeDelayOperations();

  // snippet: fake
  @Test
  void anOrderThatIsPaidIsNotRemindedOf() {
    FakeDelayOperations later = new FakeDelayOperations();

    later.after(HOUR, "reminders", "order-4711", "4711").join();
    later.after(HOUR, "reminders", "order-4712", "4712").join();
    later.cancel("order-4711").join();

    assertThat(later.pending()).extracting(Pending::value).containsExactly("4712");
  }

  // end

  @Test
  void itKeepsWhatWouldArrive() {
    assertThat(later.after(HOUR, "reminders", "a")).isCompleted();
    later.at(NEW_YEAR, "reminders", "id", "b").join();
    later.send(DelayedRecords.to("reminders").after(HOUR).id("id"), 7, "c").join();

    assertThat(later.pending())
        .containsExactly(
            new Pending("reminders", HOUR, null, null, null, "a", null, null),
            new Pending("reminders", null, NEW_YEAR, "id", "id", "b", null, null),
            new Pending("reminders", HOUR, null, "id", 7, "c", null, null));
  }

  @Test
  void aRequestThatTheBridgeWouldRefuseIsRefused() {
    ProducerRecord<Object, Object> request = new ProducerRecord<>(later.intake(), null, "v");
    DelayedRecords.to("reminders")
        .after(HOUR)
        .record("v")
        .headers()
        .forEach(request.headers()::add);
    request.headers().add("delay-timezone", new byte[0]);

    assertThatThrownBy(() -> later.send(request))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("did you mean delay-zone?");
    assertThat(later.pending()).isEmpty();
  }

  @Test
  void whatIsReplacedOrCancelledWouldNot() {
    later.after(HOUR, "reminders", "one", "a").join();
    later.at(NEW_YEAR, "reminders", "a").join();
    later.after(HOUR, "reminders", "two", "a").join();
    later.replace("two", NEW_YEAR, "others", "b").join();
    later.cancel("one").join();
    later.cancel("nobody").join();

    assertThat(later.pending())
        .containsExactly(
            new Pending("reminders", null, NEW_YEAR, null, null, "a", null, null),
            new Pending("others", null, NEW_YEAR, "two", "two", "b", null, null));
  }

  @Test
  void whatRepeatsIsPendingUntilItIsReplacedOrCancelled() {
    later.send(DelayedRecords.to("reports").cron("@daily").id("nightly"), "nightly", "a").join();
    later.send(DelayedRecords.to("pings").after(HOUR).every(HOUR).id("ping"), "ping", "b").join();

    assertThat(later.pending())
        .containsExactly(
            new Pending("reports", null, null, "nightly", "nightly", "a", null, "@daily"),
            new Pending("pings", HOUR, null, "ping", "ping", "b", HOUR, null));
    later.cancel("nightly").join();
    later.replace("ping", HOUR, "pings", "last").join();
    assertThat(later.pending())
        .containsExactly(new Pending("pings", HOUR, null, "ping", "ping", "last", null, null));
  }

  @Test
  void itRefusesWhatTheBridgeWouldRefuse() {
    assertThatThrownBy(() -> later.after(HOUR.negated(), "reminders", "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> later.cancel("")).isInstanceOf(IllegalArgumentException.class);
  }
}
