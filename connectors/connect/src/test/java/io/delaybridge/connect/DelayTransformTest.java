package io.delaybridge.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelayTransformTest {

  private static final Schema ORDER =
      SchemaBuilder.struct()
          .field("number", Schema.INT64_SCHEMA)
          .field("remind_at", Timestamp.builder().optional().build())
          .field("opens", Time.builder().optional().build())
          .build();

  private static DelayTransform<SourceRecord> transform(String... options) {
    Map<String, String> config = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      config.put(options[i], options[i + 1]);
    }
    DelayTransform<SourceRecord> transform = new DelayTransform<>();
    transform.configure(config);
    return transform;
  }

  private static SourceRecord record(@Nullable Object key, @Nullable Object value) {
    return new SourceRecord(
        Map.of("file", "a"), Map.of("line", 1), "orders", 3, null, key, null, value, 1_000L);
  }

  private static @Nullable Object header(SourceRecord record, String name) {
    Header header = record.headers().lastWithName(name);
    return header == null ? null : header.value();
  }

  @Test
  void sendsToTheIntakeWhatWasForItsTopic() {
    SourceRecord original = record("k", "v");
    original.headers().addString("mine", "x");

    SourceRecord delayed = transform("delay", "PT1H").apply(original);

    assertThat(delayed.topic()).isEqualTo("delay-intake");
    assertThat(delayed.kafkaPartition()).isNull();
    assertThat(delayed.key()).isEqualTo("k");
    assertThat(delayed.value()).isEqualTo("v");
    assertThat(delayed.timestamp()).isEqualTo(1_000L);
    assertThat(delayed.sourceOffset()).isEqualTo(original.sourceOffset());
    assertThat(header(delayed, "mine")).isEqualTo("x");
    assertThat(header(delayed, "delay-target-topic")).isEqualTo("orders");
    assertThat(header(delayed, "delay-ms")).isEqualTo("3600000");
    assertThat(header(delayed, "delay-id")).isNull();
    assertThat(original.headers()).hasSize(1);
  }

  @Test
  void anOptionThatIsNoneIsRefusedButForThoseOfTheWorker() {
    String[] ofTheWorker = {"type", "predicate", "negate", "plugin.version"};
    for (String known : ofTheWorker) {
      assertThat(transform("delay", "1", known, "x").apply(record("k", "v")).topic())
          .isEqualTo("delay-intake");
    }
    assertThatThrownBy(() -> transform("delay", "1", "id.feild", "value.id"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("id.feild is not an option, allowed: ")
        .hasMessageContaining("id.field");
  }

  @Test
  void theTargetComesBeforeTheTimeSoThatTheBridgeStoresLess() {
    SourceRecord delayed = transform("delay", "PT1H").apply(record("k", "v"));

    assertThat(delayed.headers())
        .extracting(Header::key)
        .containsExactly("delay-target-topic", "delay-ms");
  }

  @Test
  void theTopicsCanBeChosen() {
    SourceRecord delayed =
        transform("delay", "5", "intake.topic", "later", "target.topic", "reminders")
            .apply(record(null, null));

    assertThat(delayed.topic()).isEqualTo("later");
    assertThat(header(delayed, "delay-target-topic")).isEqualTo("reminders");
  }

  /** Otherwise, from an old record, tomorrow would be further away than the bridge accepts. */
  @Test
  void whatIsDueAtAnInstantHasTheTimeOfItsWriting() {
    SourceRecord delayed =
        transform("deliver.at.field", "value").apply(record(null, "2030-01-31T08:00:00Z"));

    assertThat(header(delayed, "delay-deliver-at")).isNotNull();
    assertThat(delayed.timestamp()).isNull();
  }

  /** As a number, it would look like seconds. */
  @Test
  void anInstantOfThePreviousCenturyIsWrittenAsADate() {
    DelayTransform<SourceRecord> transform = transform("deliver.at.field", "value");

    assertThat(header(transform.apply(record(null, "1999-12-31T23:59:59Z")), "delay-deliver-at"))
        .isEqualTo("1999-12-31T23:59:59Z");
    assertThat(header(transform.apply(record(null, "2030-01-31T08:00:00Z")), "delay-deliver-at"))
        .isEqualTo("1896076800000");
  }

  @Test
  @SuppressWarnings("JavaUtilDate") // The type that Connect uses.
  void readsStructs() {
    Struct order =
        new Struct(ORDER)
            .put("number", 4711L)
            .put("remind_at", Date.from(Instant.ofEpochMilli(1_795_246_327_000L)));

    SourceRecord delayed =
        transform("deliver.at.field", "value.remind_at", "id.field", "value.number")
            .apply(record("k", order));

    assertThat(header(delayed, "delay-deliver-at")).isEqualTo("1795246327000");
    assertThat(header(delayed, "delay-ms")).isNull();
    assertThat(header(delayed, "delay-id")).isEqualTo("4711");
  }

  @Test
  @SuppressWarnings("JavaUtilDate") // The type that Connect uses.
  void aTimeOfDayIsNoInstant() {
    Struct order =
        new Struct(ORDER).put("number", 4711L).put("opens", Date.from(Instant.ofEpochMilli(9_000)));

    assertThatThrownBy(() -> transform("deliver.at.field", "value.opens").apply(record("k", order)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("value.opens is a time of day");
  }

  @Test
  void aTimeOfDayThatIsNotThereIsMissing() {
    SourceRecord delayed =
        transform("deliver.at.field", "value.opens", "missing.field", "default", "delay", "5")
            .apply(record("k", new Struct(ORDER).put("number", 4711L)));

    assertThat(header(delayed, "delay-ms")).isEqualTo("5");
  }

  @Test
  void readsMapsWithinMaps() {
    SourceRecord delayed =
        transform("delay.field", "value.reminder.after", "delay.unit", "m", "id.field", "key")
            .apply(record("k", Map.of("reminder", Map.of("after", 5))));

    assertThat(header(delayed, "delay-ms")).isEqualTo("300000");
    assertThat(header(delayed, "delay-id")).isEqualTo("k");
  }

  @Test
  void replacesControlHeadersAndOnlyThose() {
    SourceRecord original = record("k", "v");
    original.headers().addString("delay-ms", "1");
    original.headers().addString("delay-op", "cancel");
    original.headers().addString("delay-callback-url", "https://example.com/");

    SourceRecord delayed = transform("delay", "2").apply(original);

    assertThat(delayed.headers())
        .extracting(Header::key)
        .containsExactlyInAnyOrder("delay-callback-url", "delay-ms", "delay-target-topic");
    assertThat(header(delayed, "delay-ms")).isEqualTo("2");
  }

  @Test
  void anUnknownHeaderWithThePrefixOfTheBridgeIsAnError() {
    SourceRecord original = record("k", "v");
    original.headers().addString("delay-timezone", "Europe/Berlin");

    assertThatThrownBy(() -> transform("delay", "2").apply(original))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(
            "delay-timezone is not a header of the bridge (did you mean delay-zone?)");
  }

  @Test
  void anUnknownHeaderGoesToAnIntakeThatLetsItPass() {
    SourceRecord original = record("k", "v");
    original.headers().addString("delay-timezone", "Europe/Berlin");

    SourceRecord delayed = transform("delay", "2", "unknown.headers", "pass").apply(original);

    assertThat(header(delayed, "delay-timezone")).isEqualTo("Europe/Berlin");
  }

  /** The bridge does not see it. */
  @Test
  void aRecordThatIsNotDelayedMayHaveAnyHeader() {
    SourceRecord original = record("k", Map.of());
    original.headers().addString("delay-timezone", "Europe/Berlin");

    assertThat(transform("delay.field", "value.after", "missing.field", "pass").apply(original))
        .isSameAs(original);
  }

  @Test
  void anIdBecomesTheKeyOfARecordWithoutOne() {
    SourceRecord delayed =
        transform("delay", "1", "id.field", "value.id").apply(record(null, Map.of("id", 7)));

    assertThat(delayed.key()).isEqualTo("7");
    assertThat(delayed.keySchema()).isEqualTo(Schema.STRING_SCHEMA);
  }

  @Test
  void anIdDoesNotBecomeTheKeyIfThatIsNotWanted() {
    SourceRecord delayed =
        transform("delay", "1", "id.field", "value.id", "key.from.id", "false")
            .apply(record(null, Map.of("id", 7)));

    assertThat(delayed.key()).isNull();
    assertThat(header(delayed, "delay-id")).isEqualTo("7");
  }

  @Test
  void aRecordWithoutTheIdHasNone() {
    SourceRecord delayed =
        transform("delay", "1", "id.field", "value.id").apply(record(null, Map.of()));

    assertThat(header(delayed, "delay-id")).isNull();
    assertThat(delayed.key()).isNull();
  }

  @Test
  void withoutTheFieldItFails() {
    assertThatThrownBy(() -> transform("delay.field", "value.a").apply(record("k", Map.of("b", 1))))
        .isInstanceOf(DataException.class)
        .hasMessage("A record has no value.a, which says when it is due");
  }

  @Test
  void withoutTheFieldItIsDelayedByTheConstant() {
    DelayTransform<SourceRecord> transform =
        transform("delay.field", "value.a", "missing.field", "default", "delay", "7");

    assertThat(header(transform.apply(record("k", null)), "delay-ms")).isEqualTo("7");
    assertThat(header(transform.apply(record("k", Map.of("a", 9))), "delay-ms")).isEqualTo("9");
  }

  @Test
  void withoutTheFieldItGoesToItsOwnTopic() {
    SourceRecord original = record("k", new Struct(ORDER).put("number", 1L));

    SourceRecord passed =
        transform("deliver.at.field", "value.remind_at", "missing.field", "pass").apply(original);

    assertThat(passed).isSameAs(original);
  }

  @Test
  void whatPassesForWantOfTheFieldIsCounted() {
    DelayTransform<SourceRecord> transform =
        transform("delay.field", "value.a", "missing.field", "pass");
    try (Metrics metrics = new Metrics()) {
      transform.withPluginMetrics(
          new PluginMetricsImpl(metrics, Map.of("connector", "orders", "transformation", "later")));
      transform.apply(record("k", Map.of("a", 1)));
      transform.apply(record("k", Map.of("b", 1)));
      transform.apply(record("k", null));

      assertThat(metrics.metrics())
          .hasEntrySatisfying(
              new MetricName(
                  "passed-total",
                  "plugins",
                  "",
                  Map.of("connector", "orders", "transformation", "later")),
              metric -> assertThat(metric.metricValue()).isEqualTo(2L));
    }
  }

  @Test
  void aFieldOfWhatHasNoneIsAnError() {
    assertThatThrownBy(() -> transform("delay.field", "value.a").apply(record("k", "text")))
        .isInstanceOf(DataException.class)
        .hasMessage("value.a cannot be read: a String has no field a");
  }

  private static Map<String, Object> headers(SourceRecord record) {
    Map<String, Object> headers = new HashMap<>();
    record.headers().forEach(header -> headers.put(header.key(), header.value()));
    return headers;
  }

  @Test
  void aMessageRepeatsAfterATime() {
    SourceRecord delayed =
        transform(
                with(
                    new String[] {"delay", "PT1M", "every", "PT1H", "id.field", "key"},
                    "until",
                    "2030-01-31T08:00:00+01:00",
                    "count",
                    "3",
                    "missed",
                    "skip"))
            .apply(record("k", "v"));

    assertThat(headers(delayed))
        .isEqualTo(
            Map.of(
                "delay-target-topic", "orders",
                "delay-ms", "60000",
                "delay-id", "k",
                "delay-every", "PT1H",
                "delay-until", "2030-01-31T08:00:00+01:00",
                "delay-count", "3",
                "delay-missed", "skip"));
    assertThat(delayed.timestamp()).isEqualTo(1_000L);
  }

  @Test
  void anIntervalMayBeInMilliseconds() {
    SourceRecord delayed =
        transform("deliver.at.field", "value", "every", "1500", "id.field", "key")
            .apply(record("k", "2030-01-31T08:00:00Z"));

    assertThat(header(delayed, "delay-every")).isEqualTo("PT1.5S");
    assertThat(header(delayed, "delay-deliver-at")).isNotNull();
  }

  /** Its matches are instants: from an old record, the first would have passed. */
  @Test
  void anExpressionAloneSaysWhenFromTheTimeOfItsWritingOn() {
    SourceRecord delayed =
        transform("cron", "0 3 * * *", "zone", "Europe/Berlin", "id.field", "key")
            .apply(record("k", "v"));

    assertThat(headers(delayed))
        .isEqualTo(
            Map.of(
                "delay-target-topic", "orders",
                "delay-id", "k",
                "delay-cron", "0 3 * * *",
                "delay-zone", "Europe/Berlin"));
    assertThat(delayed.timestamp()).isNull();
  }

  @Test
  void anExpressionCanBeginAfterADelay() {
    String[] cron = {"cron", "@daily", "id.field", "key"};
    SourceRecord constant = transform(with(cron, "delay", "5")).apply(record("k", "v"));
    SourceRecord field = transform(with(cron, "delay.field", "value")).apply(record("k", 7));

    assertThat(header(constant, "delay-ms")).isEqualTo("5");
    assertThat(header(field, "delay-ms")).isEqualTo("7");
    assertThat(header(field, "delay-cron")).isEqualTo("@daily");
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void whatRepeatsAndHasNoIdIsAnError() {
    DelayTransform<SourceRecord> transform = transform("cron", "@daily", "id.field", "value.id");

    assertThatThrownBy(() -> transform.apply(record("k", Map.of("b", 1))))
        .isInstanceOf(DataException.class)
        .hasMessage("A record has no value.id, but a message that repeats needs an id");
  }

  @Test
  void whatTheRecordSaysOfRepeatingIsTakenAway() {
    SourceRecord original = record("k", "v");
    original.headers().addString("delay-every", "PT1S");
    original.headers().addString("delay-until", "2030-01-31T08:00:00Z");

    assertThat(headers(transform("delay", "2").apply(original)).keySet())
        .containsExactlyInAnyOrder("delay-ms", "delay-target-topic");
  }

  @Test
  void anIdMustBeOne() {
    DelayTransform<SourceRecord> transform = transform("delay", "1", "id.field", "value");

    for (Object id : List.of("", "a".repeat(257), List.of(1), true)) {
      assertThatThrownBy(() -> transform.apply(record("k", id)))
          .isInstanceOf(DataException.class)
          .hasMessageContaining("allowed for an id");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          intake.topic=x                       | delay is '', allowed: a delay, because neither
          delay=soon                           | delay is 'soon', allowed: milliseconds or an ISO-8601 duration
          delay=-1                             | delay is '-1', allowed
          delay.field=a                        | delay.field is 'a', allowed: key, value, or a field
          delay.field=value..a                 | delay.field is 'value..a', allowed
          delay.field=value.a;deliver.at.field=value.b | deliver.at.field is 'value.b', allowed: nothing
          delay.field=value.a;delay=1          | delay is '1', allowed: nothing, unless missing.field is default
          delay.field=value.a;missing.field=default | delay is '', allowed: a delay
          delay=30;delay.unit=s                | delay.unit is 's', allowed: ms, because it is for delay.field
          delay.field=value.a;deliver.at.unit=s | deliver.at.unit is 's', allowed: ms, because it is for deliver.at.field
          delay.field=value.a;missing.field=default;delay=30;delay.unit=s | delay is '30', allowed: an ISO-8601 duration, because delay.unit
          delay.field=value.a;missing.field=default;delay=1.5;delay.unit=s | delay is '1.5', allowed: an ISO-8601 duration, because delay.unit
          id.field=key;every=PT1H              | delay is '', allowed: a delay, because neither
          id.field=key;cron=@daily;missing.field=default | delay is '', allowed: a delay, because missing.field
          id.field=key;cron=@daily;delay.field=value.a;delay=1 | delay is '1', allowed: nothing, unless missing.field
          id.field=key;delay=1;every=PT1H;cron=@daily | cron is '@daily', allowed: nothing, because every is given
          id.field=key;delay=1;every=999       | every is '999', allowed: milliseconds or an ISO-8601 duration, a second
          id.field=key;delay=1;every=often     | every is 'often', allowed: milliseconds or
          id.field=key;delay=1;every=P300000000D | every is 'P300000000D', allowed: milliseconds or
          id.field=key;cron=* * * *            | cron is '* * * *', allowed: 5 fields, 6 with
          id.field=key;cron=@daily @daily      | cron is '@daily @daily', allowed: 5 fields
          id.field=key;cron=daily              | cron is 'daily', allowed: 5 fields
          id.field=key;cron=@daily;zone=Mars   | zone is 'Mars', allowed: an IANA name
          id.field=key;delay=1;every=PT1H;zone=UTC | zone is 'UTC', allowed: nothing, because it is for cron
          delay=1;count=2                      | count is '2', allowed: 0, because neither every nor cron
          delay=1;missed=all                   | missed is 'all', allowed: one, because neither every nor cron
          delay=1;until=2030-01-31T08:00:00Z   | until is '2030-01-31T08:00:00Z', allowed: nothing, because neither
          id.field=key;cron=@daily;until=soon  | until is 'soon', allowed: epoch milliseconds, 1000000000000 or more, or an ISO-8601 date
          id.field=key;cron=@daily;until=1795710000 | until is '1795710000', allowed: epoch milliseconds, 1000000000000 or more
          id.field=key;cron=@daily;count=-1    | count is '-1', allowed: 0 to 999999999999999999
          id.field=key;cron=@daily;missed=some | missed is 'some', allowed: one, all, skip
          cron=@daily                          | id.field is '', allowed: a field, because a message that repeats
          delay=1;delay.unit=week              | delay.unit is 'week', allowed: ms, s, m, h, d
          delay=1;missing.field=skip           | missing.field is 'skip', allowed: fail, default, pass
          delay=1;intake.topic=a/b             | intake.topic is 'a/b', allowed: a topic name
          delay=1;target.topic=a/b             | target.topic is 'a/b', allowed: a topic name
          """)
  void namesOptionValueAndWhatIsAllowed(String options, String message) {
    assertThatThrownBy(() -> transform(options.split("[=;]")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          count       | 0 to 999999999999999999
          key.from.id | true, false
          missed      | one, all, skip
          zone        | an IANA name, or empty
          """)
  void nullIsAValueThatIsNotAllowed(String key, String allowed) {
    Map<String, String> config = new HashMap<>(Map.of("delay", "1"));
    config.put(key, null);

    assertThatThrownBy(() -> new DelayTransform<SourceRecord>().configure(config))
        .isInstanceOf(ConfigException.class)
        .hasMessage(key + " is 'null', allowed: " + allowed);
  }
}
