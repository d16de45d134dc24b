package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.it.Spans.Span;
import io.delaybridge.stack.BridgeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The agent of OpenTelemetry on producer, bridge and consumer. */
class TracingIT {

  /** The agent alone takes two minutes on a busy machine. */
  private static final Duration START = Duration.ofMinutes(8);

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Path JAR = Path.of(System.getProperty("bridge.jar"));

  private static final World WORLD = World.shared();
  private static Scenario scenario;
  private static Spans spans = new Spans(List.of());

  /** Returns the settings of an agent, except for the destination of spans. */
  private static Map<String, String> agent(String service) {
    return Map.of(
        "JAVA_TOOL_OPTIONS",
        "-javaagent:" + System.getProperty("otel.agent.jar"),
        "OTEL_SERVICE_NAME",
        service,
        "OTEL_TRACES_EXPORTER",
        "experimental-otlp/stdout",
        "OTEL_METRICS_EXPORTER",
        "none",
        "OTEL_LOGS_EXPORTER",
        "none",
        "OTEL_BSP_SCHEDULE_DELAY",
        "100",
        "OTEL_INSTRUMENTATION_LETTUCE_ENABLED",
        "false",
        // A line of more than 8 KB is written in parts, and a line of the log may come between.
        "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
        "4");
  }

  @BeforeAll
  static void start() throws Exception {
    scenario =
        WORLD
            .scenario()
            .withTarget()
            .delivery("retry", "{maxAttempts: 2, firstBackoff: 200ms, maxBackoff: 1s}")
            .env(agent("bridge"));
    WORLD.createTopic(repeated(), 1, Map.of());
    BridgeProcess bridge = scenario.launch().awaitHealthy(START);
    List<String> printed = new ArrayList<>();
    printed.add(send(scenario.target, "--delay", "PT1S", "--id", "one"));
    printed.add(send("not-there", "--delay", "PT0.2S"));
    printed.add(
        send(repeated(), "--delay", "PT1S", "--every", "PT1S", "--count", "2", "--id", "two"));
    printed.add(receive(scenario.target, 1));
    printed.add(receive(scenario.deadLetters, 1));
    printed.add(receive(repeated(), 2));
    // The last line of the log may be half written.
    await()
        .atMost(SOON)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              spans = with(bridge, printed);
              assertThat(spans.all())
                  .filteredOn(span -> span.service().equals("bridge"))
                  .extracting(Span::name)
                  .contains(scenario.target + " publish", scenario.deadLetters + " publish");
              assertThat(spans.named("bridge", repeated() + " publish")).hasSize(2);
            });
  }

  private static String repeated() {
    return scenario.target + "-repeated";
  }

  /** With {@code -Dtraces.write}, draws the picture in docs/tracing.md. */
  @AfterAll
  static void stop() throws IOException {
    System.out.println("Traces, in milliseconds: begin and duration" + spans);
    if (System.getProperty("traces.write") != null) {
      Files.writeString(
          Path.of("../../docs/tracing.svg"),
          TracePicture.of(
              spans.ofTraces(
                  Set.of(
                      spans.one("mail", scenario.target + " process").trace(),
                      spans.one("mail", scenario.deadLetters + " process").trace())),
              Map.of(
                  scenario.intake,
                  "delay-intake",
                  scenario.deadLetters,
                  "delay-deadletter",
                  scenario.target,
                  "orders")));
    }
    scenario.close();
  }

  private static Spans with(BridgeProcess bridge, List<String> printed) {
    try {
      return Spans.of(Files.readString(bridge.log()), String.join("\n", printed));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String send(String target, String... more) throws Exception {
    return run("shop", more, "send", "--intake", scenario.intake, "--target", target, "--value=v");
  }

  private static String receive(String topic, int records) throws Exception {
    String[] max = {"--max", Integer.toString(records)};
    return run("mail", max, "tail", topic, "--from-beginning");
  }

  /** Uses only the Kafka part of the agent, which starts faster. */
  private static String run(String service, String[] more, String... arguments) throws Exception {
    Map<String, String> environment = new HashMap<>(agent(service));
    environment.put("OTEL_INSTRUMENTATION_COMMON_DEFAULT_ENABLED", "false");
    environment.put("OTEL_INSTRUMENTATION_KAFKA_ENABLED", "true");
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    all.addAll(List.of("--bootstrap", WORLD.stack.bootstrapServers()));
    all.addAll(Arrays.asList(more));
    return OperationsIT.run(environment, JAR, all.toArray(String[]::new));
  }

  @Test
  void from_the_producer_through_the_wait_to_the_consumer_it_is_one_trace() {
    Span process = spans.one("mail", scenario.target + " process");
    Span delivery = spans.above(process, "bridge", scenario.target + " publish");
    Span wait = spans.above(delivery, "bridge", "wait " + scenario.intake);
    Span publish = spans.above(wait, "shop", scenario.intake + " publish");

    assertThat(List.of(process, delivery, wait))
        .extracting(Span::trace)
        .containsOnly(publish.trace());
    long begin = wait.begin() / 1_000_000;
    long end = wait.end() / 1_000_000;
    assertThat(begin).isBetween(publish.begin() / 1_000_000, publish.end() / 1_000_000);
    assertThat(wait.attribute("due_at")).isEqualTo(begin + 1_000 + "");
    assertThat(wait.attribute("lateness_ms")).isEqualTo(end - begin - 1_000 + "");
    assertThat(wait.attribute("attempt")).isEqualTo("1");
    assertThat(wait.attribute("target")).isEqualTo(scenario.target);
    assertThat(wait.attribute("id")).isEqualTo("one");
    assertThat(wait.attribute("outcome")).isEqualTo("delivered");
    assertThat(wait.attribute("source")).startsWith(scenario.intake + "/");
  }

  @Test
  void retries_and_the_dead_letter_are_in_the_trace_as_well() {
    Span process = spans.one("mail", scenario.deadLetters + " process");
    Span letter = spans.above(process, "bridge", scenario.deadLetters + " publish");
    Span second = spans.above(letter, "bridge", "wait " + scenario.intake);
    Span publish = spans.above(second, "shop", scenario.intake + " publish");
    List<Span> waits =
        spans.named("bridge", "wait " + scenario.intake).stream()
            .filter(wait -> wait.parent().equals(publish.id()))
            .toList();

    assertThat(process.trace()).isEqualTo(publish.trace());
    assertThat(waits).as("the second attempt is beside the first, not below it").hasSize(2);
    Span first = waits.get(0);
    assertThat(first.attribute("outcome")).isEqualTo("retry");
    assertThat(first.attribute("reason")).isEqualTo("UNKNOWN_TARGET");
    assertThat(first.error()).contains("'not-there' does not exist");
    assertThat(second.attribute("outcome")).isEqualTo("dead letter");
    assertThat(second.attribute("reason")).isEqualTo("ATTEMPTS_EXHAUSTED");
    assertThat(second.attribute("attempt")).isEqualTo("2");
  }

  @Test
  void each_occurrence_is_a_trace_of_its_own_that_links_to_the_request() {
    List<Span> processed = spans.named("mail", repeated() + " process");
    Set<String> requests = new HashSet<>();
    for (Span process : processed) {
      Span delivery = spans.above(process, "bridge", repeated() + " publish");
      Span wait = spans.above(delivery, "bridge", "wait " + scenario.intake);

      assertThat(wait.parent()).isEmpty();
      assertThat(wait.trace()).isEqualTo(process.trace());
      requests.addAll(wait.links());
    }

    assertThat(processed).hasSize(2).extracting(Span::trace).doesNotHaveDuplicates();
    assertThat(requests).as("both link to the same span").hasSize(1);
    assertThat(spans.named("shop", scenario.intake + " publish"))
        .filteredOn(publish -> requests.contains(publish.id()))
        .hasSize(1);
  }
}
