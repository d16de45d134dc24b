package io.delaybridge.deadletter.index;

import static io.delaybridge.deadletter.letters.Letters.AT;
import static io.delaybridge.deadletter.letters.Letters.MARKS;
import static io.delaybridge.deadletter.letters.Letters.TOPIC;
import static io.delaybridge.deadletter.letters.Letters.deadHeaders;
import static io.delaybridge.deadletter.letters.Letters.headers;
import static io.delaybridge.deadletter.letters.Letters.source;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.deadletter.alarms.Alarm;
import io.delaybridge.deadletter.alarms.AlarmSettings;
import io.delaybridge.deadletter.alarms.AlertClaim;
import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.MarkCodec;
import io.delaybridge.deadletter.marks.Marks;
import io.delaybridge.deadletter.marks.ReplayJob;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From records on the two topics to answers. */
class DeadLetterTopologyTest {

  private static final AlarmSettings SETTINGS =
      new AlarmSettings(3, Duration.ofMinutes(1), Duration.ofMinutes(15), null);
  private static final int CAPACITY = 20;

  private final MarkCodec codec = new MarkCodec(MARKS);
  private final List<AlertClaim> claims = new ArrayList<>();
  private final List<AlertClaim> told = new ArrayList<>();
  private final TopologyTestDriver driver =
      new TopologyTestDriver(
          DeadLetterTopology.build(
              TOPIC,
              MARKS,
              CAPACITY,
              SETTINGS,
              new Alarm(
                  SETTINGS,
                  "here",
                  () -> java.time.Instant.ofEpochMilli(AT),
                  Runnable::run,
                  claims::add,
                  told::add)),
          properties());
  private @Nullable TestInputTopic<byte[], byte[]> letters;
  private @Nullable TestInputTopic<byte[], byte[]> marks;

  private static Properties properties() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    return properties;
  }

  @BeforeEach
  void open() {
    letters = driver.createInputTopic(TOPIC, new ByteArraySerializer(), new ByteArraySerializer());
    marks = driver.createInputTopic(MARKS, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterEach
  void close() {
    driver.close();
  }

  private LetterStore letterStore() {
    return (LetterStore) driver.getStateStore(LetterStore.NAME);
  }

  private MarkStore markStore() {
    return (MarkStore) driver.getStateStore(MarkStore.NAME);
  }

  private Catalog catalog() {
    return new Catalog(letterStore(), markStore());
  }

  private void letter(Headers headers) {
    letter(headers, AT + 1_000);
  }

  private void letter(long offset, String reason, String target, long at) {
    letter(deadHeaders(offset, reason, target, at), at);
  }

  private void letter(Headers headers, long written) {
    assertThat(letters).isNotNull();
    letters.pipeInput(new TestRecord<>(new byte[1], new byte[4], headers, written));
  }

  private void mark(ProducerRecord<byte[], byte[]> record) {
    assertThat(marks).isNotNull();
    marks.pipeInput(record.key(), record.value());
  }

  private static LetterFilter all() {
    return new LetterFilter(null, null, null, null, null, null, intake -> true);
  }

  private static List<Long> offsets(Catalog.Page page) {
    return page.items().stream().map(item -> item.letter().source().offset()).toList();
  }

  @Test
  void aLetterHasNotDiedAfterItWasWritten() {
    letter(deadHeaders(1, "EXPIRED", "orders", AT + 864_000_000L), AT);

    assertThat(catalog().find(source(1)).orElseThrow().letter().at()).isEqualTo(AT);
  }

  @Test
  void aLetterHasNotDiedAfterItWasReadEither() {
    long ahead = System.currentTimeMillis() + 864_000_000L;
    letter(deadHeaders(1, "EXPIRED", "orders", ahead), ahead);

    assertThat(catalog().find(source(1)).orElseThrow().letter().at())
        .isLessThanOrEqualTo(System.currentTimeMillis());
  }

  @Test
  void aDeadLetterIsKnownByItsSourceWithEverythingThatItsHeadersSay() {
    letter(
        headers(
            DelayHeaders.TARGET_TOPIC, "orders",
            DelayHeaders.ID, "an-id",
            DelayHeaders.REPLAY, "2",
            DelayHeaders.DEAD_REASON, "UNKNOWN_TARGET",
            DelayHeaders.DEAD_DETAIL, "no such topic",
            DelayHeaders.DEAD_AT, "1760000000123",
            DelayHeaders.SOURCE, "delay-intake/3/5",
            DelayHeaders.DEAD_CONTENT, "delay-intake/3/9",
            DelayHeaders.ATTEMPT, "4"));

    assertThat(catalog().find(source(5)))
        .contains(
            new Catalog.Item(
                new DeadLetter(
                    source(5),
                    new Source(TOPIC, 0, 0),
                    "orders",
                    "an-id",
                    "UNKNOWN_TARGET",
                    "no such topic",
                    1760000000123L,
                    4,
                    2,
                    5,
                    source(9)),
                null));
  }

  /** The end of the repetition is a letter of the message itself, which all of them outlive. */
  @Test
  void occurrencesOfOneMessageAreLettersOfTheirOwn() {
    letter(occurrence("1"), AT);
    letter(occurrence("2"), AT + 1);
    letter(deadHeaders(5, "FORBIDDEN_TARGET", "orders", AT + 2), AT + 2);
    letter(occurrence("12"), AT + 3);

    assertThat(letterStore().size()).isEqualTo(4);
    assertThat(catalog().find(source(5)).orElseThrow().letter().reason())
        .isEqualTo("FORBIDDEN_TARGET");
    Source second = new Source("delay-intake", 3, 5, 2);
    assertThat(second).hasToString("delay-intake/3/5-2");
    assertThat(LetterParser.source("delay-intake/3/5-2")).contains(second);
    assertThat(catalog().find(second).orElseThrow().letter().at()).isEqualTo(AT + 1);
  }

  private static Headers occurrence(String number) {
    Headers headers = deadHeaders(5, "UNKNOWN_TARGET", "orders", AT + Long.parseLong(number) - 1);
    headers.add(DelayHeaders.SCHEDULE, "a-schedule".getBytes(UTF_8));
    headers.add(DelayHeaders.OCCURRENCE, number.getBytes(UTF_8));
    return headers;
  }

  /** Nor to itself: it has no value, and would be replayed as a message without one. */
  @ParameterizedTest
  @ValueSource(strings = {"delay-others/3/9", "delay-others-later/3/9", "nonsense"})
  void aLetterDoesNotPointToTheContentOfAnotherIntake(String pointer) {
    Headers headers = deadHeaders(5, "EXPIRED", "orders", AT);
    headers.add(DelayHeaders.DEAD_CONTENT, pointer.getBytes(UTF_8));
    letter(headers, AT);

    assertThat(catalog().find(source(5)).orElseThrow().letter().content())
        .isEqualTo(new Source(TOPIC, 0, -1));
  }

  @Test
  void aLetterOfAFarMessageMayPointToTheLaterTopic() {
    Headers headers = deadHeaders(5, "RECORD_TOO_LARGE", "orders", AT);
    headers.add(DelayHeaders.DEAD_CONTENT, "delay-intake-later/3/9".getBytes(UTF_8));
    letter(headers, AT);

    assertThat(catalog().find(source(5)).orElseThrow().letter().content())
        .isEqualTo(new Source("delay-intake-later", 3, 9));
  }

  @Test
  void aReasonOfALaterReleaseIsIndexedAsItIs() {
    letter(1, "NOT_INVENTED_YET", "orders", AT);

    assertThat(catalog().find(source(1))).isPresent();
  }

  @Test
  void whatIsNoDeadLetterOfABridgeIsCountedAndSkipped() {
    letter(headers());
    letter(headers(DelayHeaders.SOURCE, "delay-intake/3/5"));
    letter(headers(DelayHeaders.DEAD_REASON, "EXPIRED"));
    letter(headers(DelayHeaders.DEAD_REASON, "EXPIRED", DelayHeaders.SOURCE, "a/b/c"));
    letter(headers(DelayHeaders.DEAD_REASON, "<b>", DelayHeaders.SOURCE, "a/1/2"));

    assertThat(letterStore().skipped()).isEqualTo(5);
    assertThat(letterStore().size()).isZero();
  }

  @Test
  void aLetterThatIsWrittenTwiceIsListedAndCountedOnceAtItsLaterPlace() {
    letter(1, "EXPIRED", "orders", AT);
    letter(1, "EXPIRED", "orders", AT + 5);

    assertThat(offsets(catalog().list(all(), 10, null))).containsExactly(1L);
    assertThat(catalog().find(source(1)).orElseThrow().letter().position().offset()).isEqualTo(1);
    assertThat(catalog().counts(AT, 60_000, intake -> true))
        .extracting(Catalog.Count::count)
        .containsExactly(1);
  }

  @Test
  void theLaterOfTwoLettersOfOneSourceStaysAlsoIfItsPartitionIsReadFirst() {
    letter(1, "EXPIRED", "orders", AT + 5);
    letter(1, "NO_TARGET", "orders", AT);

    assertThat(catalog().list(all(), 10, null).items())
        .extracting(item -> item.letter().reason())
        .containsExactly("EXPIRED");
  }

  @Test
  void namesThatManyMarksHaveAreInMemoryOnce() {
    letter(1, "EXPIRED", "orders", AT);
    letter(2, "EXPIRED", "orders", AT);
    mark(codec.mark(source(1), Marks.mark(Mark.State.REPLAYED, 0)));
    mark(codec.mark(source(2), Marks.mark(Mark.State.REPLAYED, 1)));

    Mark one = catalog().find(source(1)).orElseThrow().mark();
    Mark other = catalog().find(source(2)).orElseThrow().mark();
    assertThat(one).isNotNull().isNotEqualTo(other);
    assertThat(other).isNotNull();
    assertThat(one.by()).isSameAs(other.by());
    assertThat(one.operation()).isSameAs(other.operation());
    assertThat(one.position().topic()).isSameAs(other.position().topic());
  }

  @Test
  void aListIsNewestFirstAndPaged() {
    letter(1, "EXPIRED", "orders", AT + 30);
    letter(2, "EXPIRED", "orders", AT + 10);
    letter(3, "EXPIRED", "orders", AT + 20);

    Catalog.Page first = catalog().list(all(), 2, null);
    Catalog.Page second = catalog().list(all(), 2, first.cursor());

    assertThat(offsets(first)).containsExactly(1L, 3L);
    assertThat(offsets(second)).containsExactly(2L);
    assertThat(second.cursor()).isNull();
    assertThat(catalog().list(all(), 3, null).cursor()).isNull();
  }

  @Test
  void aCursorThatIsNoneIsRefused() {
    assertThatThrownBy(() -> catalog().list(all(), 2, "~"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cursor is '~'");
    assertThatThrownBy(() -> catalog().list(all(), 2, "YQ"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aListIsNarrowedByReasonTargetTimeStateAndIntake() {
    letter(1, "EXPIRED", "orders", AT);
    letter(2, "NO_TARGET", "orders", AT + 1);
    letter(3, "EXPIRED", "bills", AT + 2);
    letter(4, "EXPIRED", "orders", AT + 3);
    mark(codec.mark(source(4), Marks.mark(Mark.State.HANDLED, 3)));

    assertThat(listed(new LetterFilter("EXPIRED", null, null, null, null, null, any -> true)))
        .containsExactly(4L, 3L, 1L);
    assertThat(listed(new LetterFilter(null, "bills", null, null, null, null, any -> true)))
        .containsExactly(3L);
    assertThat(listed(new LetterFilter(null, null, AT + 1, AT + 3, null, null, any -> true)))
        .containsExactly(3L, 2L);
    assertThat(listed(new LetterFilter(null, null, null, null, Mark.State.NEW, null, any -> true)))
        .containsExactly(3L, 2L, 1L);
    assertThat(
            listed(new LetterFilter(null, null, null, null, Mark.State.HANDLED, null, any -> true)))
        .containsExactly(4L);
    assertThat(listed(new LetterFilter(null, null, null, null, null, "other", any -> true)))
        .isEmpty();
    assertThat(listed(new LetterFilter(null, null, null, null, null, null, any -> false)))
        .isEmpty();
  }

  private List<Long> listed(LetterFilter filter) {
    return offsets(catalog().list(filter, 10, null));
  }

  @Test
  void aMarkIsKnownBeforeAndAfterItsLetterAndCanBeTakenBack() {
    mark(codec.mark(source(1), Marks.mark(Mark.State.REPLAYED, 0)));
    letter(1, "EXPIRED", "orders", AT);

    Catalog.Item item = catalog().find(source(1)).orElseThrow();
    assertThat(item.state()).isEqualTo(Mark.State.REPLAYED);
    assertThat(item.mark()).isEqualTo(Marks.mark(Mark.State.REPLAYED, 0));

    mark(codec.forget(source(1)));
    assertThat(catalog().find(source(1)).orElseThrow().state()).isEqualTo(Mark.State.NEW);
  }

  @Test
  void aMarkIsOfATwinThatWasThereAndNotOfALetterThatDiedLaterAtAnIntakeMadeAnew() {
    letter(1, "EXPIRED", "orders", AT - 2_000);
    mark(codec.mark(source(1), Marks.mark(Mark.State.HANDLED, 0)));
    letter(1, "EXPIRED", "orders", AT);
    assertThat(catalog().find(source(1)).orElseThrow().state()).isEqualTo(Mark.State.HANDLED);

    letter(1, "EXPIRED", "orders", AT + 1);
    assertThat(catalog().find(source(1)).orElseThrow().state()).isEqualTo(Mark.State.NEW);
  }

  @Test
  void marksThatCanNotBeReadAreCountedAndSkipped() {
    mark(new ProducerRecord<>(MARKS, "letter nowhere".getBytes(UTF_8), "{}".getBytes(UTF_8)));
    mark(new ProducerRecord<>(MARKS, "letter a/1/2".getBytes(UTF_8), "{".getBytes(UTF_8)));
    mark(new ProducerRecord<>(MARKS, "letter a/1/2".getBytes(UTF_8), "null".getBytes(UTF_8)));
    mark(new ProducerRecord<>(MARKS, "job x".getBytes(UTF_8), "{\"total\":1}".getBytes(UTF_8)));
    mark(new ProducerRecord<>(MARKS, "what".getBytes(UTF_8), "{}".getBytes(UTF_8)));

    assertThat(markStore().skipped()).isEqualTo(5);
    assertThat(markStore().size()).isZero();
  }

  @Test
  void whoeverWaitsForABarrierWaitsUntilItIsRead() throws InterruptedException {
    assertThat(markStore().awaitSeen(0, Duration.ofMillis(1))).isFalse();

    mark(codec.barrier());

    assertThat(markStore().awaitSeen(0, Duration.ofMillis(1))).isTrue();
    assertThat(markStore().awaitSeen(1, Duration.ofMillis(1))).isFalse();
  }

  @Test
  void aReplayThatIsNotHeardOfForAMinuteHasStopped() {
    ReplayJob job = new ReplayJob("j", "there", ReplayJob.State.RUNNING, 9, 3, 1, 0, 100, AT, null);
    mark(codec.job(job));

    assertThat(catalog().job("j", AT + 60_000)).contains(job);
    assertThat(catalog().job("j", AT + 60_001).orElseThrow().state())
        .isEqualTo(ReplayJob.State.STOPPED);
    assertThat(catalog().job("other", AT)).isEmpty();
  }

  @Test
  void countsAreByReasonTargetAndWindow() {
    letter(1, "EXPIRED", "orders", AT);
    letter(2, "EXPIRED", "orders", AT + 1);
    letter(3, "EXPIRED", "bills", AT + 2);
    letter(4, "NO_TARGET", "bills", AT + 60_000);

    long minute = Math.floorDiv(AT, 60_000) * 60_000;
    long hour = Math.floorDiv(AT, 3_600_000) * 3_600_000;
    assertThat(catalog().counts(AT, 60_000, intake -> true))
        .containsExactly(
            new Catalog.Count("EXPIRED", "bills", minute, 1),
            new Catalog.Count("EXPIRED", "orders", minute, 2),
            new Catalog.Count("NO_TARGET", "bills", minute + 60_000, 1));
    assertThat(catalog().counts(AT, 3_600_000, intake -> true))
        .contains(new Catalog.Count("EXPIRED", "orders", hour, 2));
    assertThat(catalog().counts(AT, 60_000, intake -> false)).isEmpty();
    assertThat(catalog().counts(AT + 60_000, 60_000, intake -> true)).hasSize(1);
  }

  @Test
  void whenThereAreTooManyTheOldestIsForgottenButStillCounted() {
    for (int i = 0; i <= CAPACITY; i++) {
      letter(i, "EXPIRED", "orders", AT + i);
    }

    assertThat(letterStore().size()).isEqualTo(CAPACITY);
    assertThat(letterStore().evicted()).isEqualTo(1);
    assertThat(catalog().find(source(0))).isEmpty();
    assertThat(catalog().counts(AT, 86_400_000, intake -> true))
        .extracting(Catalog.Count::count)
        .containsExactly(CAPACITY + 1);
  }

  @Test
  void whatItsTopicHasDeletedIsForgotten() {
    letter(1, "EXPIRED", "orders", AT);
    letter(2, "EXPIRED", "orders", AT + 1);
    mark(codec.mark(source(1), Marks.mark(Mark.State.HANDLED, 0)));
    mark(codec.mark(source(2), Marks.mark(Mark.State.HANDLED, 1)));

    letterStore().dropBelow(0, 1);

    assertThat(listed(all())).containsExactly(2L);
    assertThat(catalog().find(source(1))).isEmpty();
    assertThat(markStore().below(0, 1)).containsExactly(source(1));
    assertThat(markStore().below(1, 1)).isEmpty();
  }

  @Test
  void theThirdLetterOfAReasonWithinTheWindowIsClaimedAndTheClaimRaisesTheAlert() {
    letter(1, "EXPIRED", "orders", AT - 2);
    letter(2, "NO_TARGET", "orders", AT - 1);
    letter(3, "EXPIRED", "bills", AT - 1);
    assertThat(claims).isEmpty();
    letter(4, "EXPIRED", "orders", AT);

    AlertClaim claim = new AlertClaim("here", AT, "EXPIRED", 3, 60_000, "delay-intake/3/4");
    assertThat(claims).containsExactly(claim);
    assertThat(told).isEmpty();
    mark(codec.alert(claim));
    assertThat(told).containsExactly(claim);
    letter(5, "EXPIRED", "orders", AT);
    assertThat(claims).hasSize(1);
  }
}
