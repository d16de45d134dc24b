package io.delaybridge.connect.callback;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.connect.http.Outcome;
import io.delaybridge.connect.http.Signature;
import io.delaybridge.connect.http.UrlRules;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CourierTest {

  private static final Instant NOW = Instant.ofEpochMilli(1_795_246_327_500L);

  private record Posted(URI uri, Map<String, String> headers, String body) {}

  private final List<Posted> posted = new ArrayList<>();
  private final List<ProducerRecord<byte[], byte[]>> sent = new ArrayList<>();

  /** The record that was sent last, followed by its replacements in case it is too large. */
  private List<ProducerRecord<byte[], byte[]>> sizes = List.of();

  private final AtomicInteger finished = new AtomicInteger();
  private final Progress progress = new Progress();
  private final List<Throwable> broken = new ArrayList<>();
  private Outcome outcome = new Outcome.Accepted();
  private Runnable onSend = () -> {};
  private boolean kafkaAnswers = true;
  private @Nullable Signature signature;
  private String url = "https://config.example.com/hook";

  private void deliver(@Nullable String... headers) {
    CallbackSettings settings =
        new CallbackSettings(
            url,
            new UrlRules(Set.of("https"), Set.of(443), List.of("hooks.example.com")),
            "text/plain",
            signature,
            3,
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8), Duration.ofMinutes(1)),
            new CallbackSettings.Topics("intake", "dead"));
    Courier courier =
        new Courier(
            settings,
            (uri, fields, body, done) -> {
              posted.add(new Posted(uri, fields, new String(body, UTF_8)));
              done.accept(outcome);
            },
            (largestFirst, written) -> {
              sent.add(largestFirst.get(0));
              sizes = largestFirst;
              onSend.run();
              if (kafkaAnswers) {
                written.run();
              }
            },
            InstantSource.fixed(NOW),
            new Random(1),
            broken::add);
    courier.begin(
        new Item(Records.record("key", "body", headers), progress), finished::incrementAndGet);
  }

  private @Nullable String sentHeader(String name) {
    return Records.header(sent.get(0), name);
  }

  @Test
  void callsTheConfiguredUrlAndIsDone() {
    deliver("delay-source", "i/0/1", "delay-due-at", "5", "delay-id", "grün 1%", "mine", "x");

    assertThat(posted)
        .containsExactly(
            new Posted(
                URI.create("https://config.example.com/hook"),
                Map.of(
                    "Content-Type", "text/plain",
                    "delay-source", "i/0/1",
                    "delay-due-at", "5",
                    "delay-id", "gr%C3%BCn%201%25",
                    "delay-callback-attempt", "1",
                    "delay-callback-source", "i/0/1"),
                "body"));
    assertThat(sent).isEmpty();
    assertThat(finished).hasValue(1);
  }

  @Test
  void callsTheUrlOfTheHeader() {
    deliver("delay-callback-url", "https://hooks.example.com/own");

    assertThat(posted.get(0).uri()).isEqualTo(URI.create("https://hooks.example.com/own"));
  }

  @Test
  void signsTheBody() {
    signature = new Signature("secret");

    deliver();

    assertThat(posted.get(0).headers())
        .containsEntry(
            "Delay-Signature", new Signature("secret").of("body".getBytes(UTF_8), 1_795_246_327));
  }

  @Test
  void aUrlThatIsNotAllowedIsADeadLetterAndNotCalled() {
    deliver("delay-callback-url", "https://169.254.169.254/latest/meta-data");

    assertThat(posted).isEmpty();
    assertThat(sentHeader("delay-dead-reason")).isEqualTo("CALLBACK_FORBIDDEN");
    assertThat(sentHeader("delay-dead-detail")).isEqualTo("host 169.254.169.254 is not allowed");
    assertThat(finished).hasValue(1);
  }

  @Test
  void aUrlWithoutAValueIsNotTheConfiguredOne() {
    deliver("delay-callback-url", null);

    assertThat(posted).isEmpty();
    assertThat(sentHeader("delay-dead-detail")).isEqualTo("delay-callback-url has no value");
  }

  @Test
  void noUrlAtAllIsADeadLetter() {
    url = "";

    deliver();

    assertThat(sentHeader("delay-dead-reason")).isEqualTo("CALLBACK_FORBIDDEN");
  }

  @Test
  void anAddressThatIsNotAllowedIsADeadLetter() {
    outcome = new Outcome.Forbidden("private");

    deliver();

    assertThat(sentHeader("delay-dead-reason")).isEqualTo("CALLBACK_FORBIDDEN");
  }

  @Test
  void aRefusalIsADeadLetterLikeThoseOfTheBridge() {
    outcome = new Outcome.Refused("the receiver answered 404");

    deliver(
        "delay-source", "i/0/9",
        "delay-callback-attempt", "2",
        "delay-callback-source", "i/0/1",
        "delay-callback-id", "a",
        "delay-dead-at", "1",
        "mine", "x");

    ProducerRecord<byte[], byte[]> dead = sent.get(0);
    assertThat(dead.topic()).isEqualTo("dead");
    assertThat(dead.key()).isEqualTo(Records.utf8("key"));
    assertThat(dead.value()).isEqualTo(Records.utf8("body"));
    assertThat(dead.headers().toArray())
        .extracting(Header::key)
        .containsExactly(
            "mine",
            "delay-target-topic",
            "delay-ms",
            "delay-target-partition",
            "delay-id",
            "delay-callback-source",
            "delay-dead-reason",
            "delay-dead-detail",
            "delay-dead-at",
            "delay-source",
            "delay-attempt");
    assertThat(sentHeader("delay-dead-reason")).isEqualTo("CALLBACK_REFUSED");
    assertThat(sentHeader("delay-dead-detail")).isEqualTo("the receiver answered 404");
    assertThat(sentHeader("delay-dead-at")).isEqualTo("1795246327500");
    assertThat(sentHeader("delay-source")).isEqualTo("i/0/9");
    assertThat(sentHeader("delay-attempt")).isEqualTo("2");
    assertThat(sentHeader("delay-target-topic")).isEqualTo("reminders");
    assertThat(sentHeader("delay-target-partition")).isEqualTo("2");
  }

  @Test
  void aLetterThatIsTooLargeSaysWhereItsContentIs() {
    outcome = new Outcome.Refused("the receiver answered 404");

    deliver("delay-source", "i/0/9", "mine", "x");

    ProducerRecord<byte[], byte[]> small = sizes.get(1);
    assertThat(small.key()).isNull();
    assertThat(small.value()).isNull();
    assertThat(Records.header(small, "mine")).isNull();
    assertThat(Records.header(small, "delay-dead-content")).isEqualTo("i/0/9");
    assertThat(Records.header(small, "delay-dead-detail"))
        .isEqualTo(
            "the receiver answered 404 (too large for this topic: key, value and headers are at"
                + " reminders/2/7 only)");
  }

  @Test
  void aLetterWithoutContentSaysHowOftenItWasReplayed() {
    outcome = new Outcome.Refused("the receiver answered 404");

    deliver("delay-source", "i/0/9", "delay-replay", "2");

    assertThat(Records.header(sizes.get(0), "delay-replay")).isEqualTo("2");
    assertThat(Records.header(sizes.get(1), "delay-replay")).isEqualTo("2");
  }

  @Test
  void aLetterOfWhatNoBridgeDeliveredHasNoContentAnywhere() {
    outcome = new Outcome.Refused("the receiver answered 404");

    deliver();

    assertThat(Records.header(sizes.get(1), "delay-source")).isEqualTo("reminders/2/7");
    assertThat(Records.header(sizes.get(1), "delay-dead-content")).isNull();
  }

  @Test
  void aLetterWithoutContentIsSmallWhateverTheHeadersAre() {
    outcome = new Outcome.Failed("the receiver answered 500", null);
    String large = "x".repeat(2 << 20);

    deliver("delay-source", large, "delay-callback-source", large, "delay-callback-id", large);

    int bytes = 0;
    for (Header header : sizes.get(2).headers()) {
      bytes += header.value().length;
    }
    assertThat(bytes).isLessThan(1_000);
    assertThat(Records.header(sizes.get(2), "delay-dead-reason")).isEqualTo("RECORD_TOO_LARGE");
  }

  @Test
  void aRetryThatIsTooLargeIsADeadLetterWithItsContentIfThatFits() {
    outcome = new Outcome.Failed("the receiver answered 500", null);

    deliver("delay-source", "i/0/1");

    assertThat(sizes).extracting(ProducerRecord::topic).containsExactly("intake", "dead", "dead");
    assertThat(sizes.get(1).value()).isEqualTo(Records.utf8("body"));
    assertThat(Records.header(sizes.get(1), "delay-dead-reason")).isEqualTo("RECORD_TOO_LARGE");
  }

  @Test
  void aFailureGoesBackThroughTheIntakeWithoutItsId() {
    outcome = new Outcome.Failed("the receiver answered 500", null);

    deliver("delay-source", "i/0/1", "delay-id", "a", "delay-attempt", "1", "mine", "x");

    ProducerRecord<byte[], byte[]> retry = sent.get(0);
    assertThat(retry.topic()).isEqualTo("intake");
    assertThat(retry.key()).isEqualTo(Records.utf8("key"));
    assertThat(retry.value()).isEqualTo(Records.utf8("body"));
    assertThat(retry.headers().toArray())
        .extracting(Header::key)
        .containsExactly(
            "mine",
            "delay-target-topic",
            "delay-ms",
            "delay-target-partition",
            "delay-callback-attempt",
            "delay-callback-source",
            "delay-callback-id");
    assertThat(sentHeader("delay-target-topic")).isEqualTo("reminders");
    assertThat(sentHeader("delay-target-partition")).isEqualTo("2");
    assertThat(Long.parseLong(String.valueOf(sentHeader("delay-ms")))).isBetween(800L, 1_200L);
    assertThat(sentHeader("delay-callback-attempt")).isEqualTo("2");
    assertThat(sentHeader("delay-callback-source")).isEqualTo("i/0/1");
    assertThat(sentHeader("delay-callback-id")).isEqualTo("a");
  }

  private static final String[] OCCURRENCE = {
    "delay-source", "i/0/1",
    "delay-schedule", "nächtlich",
    "delay-occurrence", "17",
    "delay-scheduled-at", "1795246327000"
  };

  @Test
  void anOccurrenceIsCalledWithWhatItIsAndHasANameOfItsOwn() {
    deliver(OCCURRENCE);

    assertThat(posted.get(0).headers())
        .isEqualTo(
            Map.of(
                "Content-Type", "text/plain",
                "delay-source", "i/0/1",
                "delay-schedule", "n%C3%A4chtlich",
                "delay-occurrence", "17",
                "delay-scheduled-at", "1795246327000",
                "delay-callback-attempt", "1",
                "delay-callback-source", "i/0/1/17"));
  }

  @Test
  void aRetryOfAnOccurrenceIsOfThatOccurrenceUnderItsName() {
    outcome = new Outcome.Failed("the receiver answered 500", null);

    deliver(OCCURRENCE);

    assertThat(sentHeader("delay-schedule")).isEqualTo("nächtlich");
    assertThat(sentHeader("delay-occurrence")).isEqualTo("17");
    assertThat(sentHeader("delay-scheduled-at")).isEqualTo("1795246327000");
    assertThat(sentHeader("delay-callback-source")).isEqualTo("i/0/1/17");
    assertThat(sentHeader("delay-id")).isNull();
  }

  @Test
  void aDeadLetterOfAnOccurrenceSaysSoWithItsContentAndWithout() {
    outcome = new Outcome.Refused("the receiver answered 404");

    deliver(OCCURRENCE);

    for (ProducerRecord<byte[], byte[]> letter : sizes) {
      assertThat(Records.header(letter, "delay-schedule")).isEqualTo("nächtlich");
      assertThat(Records.header(letter, "delay-occurrence")).isEqualTo("17");
      assertThat(Records.header(letter, "delay-scheduled-at")).isEqualTo("1795246327000");
      assertThat(Records.header(letter, "delay-source")).isEqualTo("i/0/1");
      assertThat(Records.header(letter, "delay-id")).isNull();
    }
  }

  @Test
  void whatIsNoNumberIsNoOccurrence() {
    deliver("delay-source", "i/0/1", "delay-occurrence", "first", "delay-scheduled-at", "soon");

    assertThat(posted.get(0).headers())
        .containsEntry("delay-callback-source", "i/0/1")
        .doesNotContainKeys("delay-occurrence", "delay-scheduled-at");
  }

  @Test
  void theReceiverSaysWhen() {
    outcome = new Outcome.Failed("the receiver answered 503", Duration.ofSeconds(42));

    deliver();

    assertThat(Long.parseLong(String.valueOf(sentHeader("delay-ms")))).isBetween(42_000L, 42_200L);
  }

  @Test
  void theLastFailureIsADeadLetter() {
    outcome = new Outcome.Failed("timed out", null);

    deliver("delay-callback-attempt", "3");

    assertThat(sent.get(0).topic()).isEqualTo("dead");
    assertThat(sentHeader("delay-dead-reason")).isEqualTo("CALLBACK_EXHAUSTED");
    assertThat(sentHeader("delay-dead-detail")).isEqualTo("timed out");
  }

  @Test
  void isNotDoneBeforeKafkaHasTheRetry() {
    outcome = new Outcome.Failed("timed out", null);
    kafkaAnswers = false;

    deliver();

    assertThat(sent).hasSize(1);
    assertThat(finished).hasValue(0);
  }

  @Test
  void anErrorAfterTheCallIsTold() {
    outcome = new Outcome.Failed("timed out", null);
    Error error = new NoClassDefFoundError("gone");
    onSend =
        () -> {
          throw error;
        };

    deliver();

    assertThat(broken).containsExactly(error);
    assertThat(finished).hasValue(0);
  }

  @Test
  void whatGoesWrongAfterTheCallDoesNotConcludeItTwice() {
    outcome = new Outcome.Failed("timed out", null);
    RuntimeException failure = new IllegalStateException("no");
    onSend =
        () -> {
          throw failure;
        };

    deliver();

    assertThat(broken).containsExactly(failure);
    assertThat(sent).hasSize(1);
  }

  @Test
  void whatFailsAfterItsPartitionIsGoneIsLeftToWhoeverHasItNow() {
    outcome = new Outcome.Failed("timed out", null);
    progress.close();

    deliver();

    assertThat(sent).isEmpty();
    assertThat(finished).hasValue(1);
  }
}
