package io.delaybridge.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.tools.attach.VirtualMachine;
import io.delaybridge.connect.it.Receiver.Answer;
import io.delaybridge.connect.it.Receiver.Call;
import io.delaybridge.stack.ConnectWorker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The plugins from the user's view: found by the worker, configured, and applied to records. */
class PluginsIT {

  private static final Queue<Call> CALLS = new ConcurrentLinkedQueue<>();
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private static World world;
  private static Receiver receiver;
  private static ConnectWorker worker;

  /** The path of a URL is the status to answer with. */
  private static Answer answer(Call call) {
    CALLS.add(call);
    return Answer.of(Integer.parseInt(call.path().substring(1)));
  }

  @BeforeAll
  static void start() throws IOException {
    receiver = new Receiver(PluginsIT::answer);
    world = World.start();
    world.createTopic("calls", 1);
    world.createTopic("orders", 1);
    world.createTopic("ticks", 1);
    addLinesSource(world.plugins);
    Map<String, String> source = new HashMap<>(Documentation.example("orders-later"));
    source.put("connector.class", LinesSource.class.getName());
    source.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
    source.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    source.put("value.converter.schemas.enable", "false");
    source.put("transforms.later.delay.field", "value.after");
    source.remove("transforms.later.deliver.at.field");
    worker =
        world
            .worker("worker")
            .connector("orders-later", source)
            .connector("orders-ticking", ticking(source))
            .connector("callback-sink", world.sink(options()))
            .start();
  }

  private static Map<String, String> ticking(Map<String, String> source) {
    Map<String, String> ticking = new HashMap<>(source);
    ticking
        .keySet()
        .removeIf(option -> option.contains("transforms.") || option.contains("predica"));
    Documentation.example("orders-daily").forEach(ticking::put);
    // Otherwise they would have the ids of the others, and replace them.
    ticking.put("prefix", "tick-");
    ticking.put("transforms.daily.target.topic", "ticks");
    ticking.put("transforms.daily.cron", "* * * * * *");
    ticking.put("transforms.daily.count", "2");
    return ticking;
  }

  private static Map<String, String> options() {
    return Map.of(
        "topics", "calls",
        "tasks.max", "1",
        "callback.url", receiver.url("/200"),
        "callback.allowed.hosts", "127.0.0.1,127.0.0.2",
        "callback.allowed.addresses", "127.0.0.1",
        "callback.allowed.schemes", "http",
        "callback.allowed.ports", Integer.toString(receiver.port()),
        "callback.max.attempts", "3",
        "callback.retry.backoff.ms", "200");
  }

  /** Installs the source as another plugin: a directory with a jar. */
  private static void addLinesSource(Path plugins) throws IOException {
    Path jar = Files.createDirectories(plugins.resolve("lines")).resolve("lines.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (Class<?> type : List.of(LinesSource.class, LinesSource.Lines.class)) {
        String name = type.getName().replace('.', '/') + ".class";
        try (InputStream in = PluginsIT.class.getClassLoader().getResourceAsStream(name)) {
          assertThat(in).isNotNull();
          out.putNextEntry(new ZipEntry(name));
          in.transferTo(out);
        }
      }
      out.putNextEntry(
          new ZipEntry("META-INF/services/org.apache.kafka.connect.source.SourceConnector"));
      write(out, LinesSource.class.getName());
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  @AfterAll
  static void stop() {
    try {
      worker.close();
    } finally {
      world.close();
      receiver.close();
    }
  }

  private static List<Call> calls(String body) {
    return CALLS.stream().filter(call -> call.text().equals(body)).toList();
  }

  private static ConsumerRecord<String, String> deadLetter(String key) {
    await().atMost(LIMIT).until(() -> !deadLetters(key).isEmpty());
    assertThat(deadLetters(key)).hasSize(1);
    return deadLetters(key).get(0);
  }

  private static List<ConsumerRecord<String, String>> deadLetters(String key) {
    return world.read("delay-deadletter").stream().filter(r -> key.equals(r.key())).toList();
  }

  @Test
  void theWorkerFindsBothPluginsWithTheirVersion() {
    assertThat(worker.get("/connector-plugins?connectorsOnly=false"))
        .contains(
            "{\"class\":\"io.delaybridge.connect.CallbackSinkConnector\",\"type\":\"sink\","
                + "\"version\":\"0.1.0-SNAPSHOT\"}")
        .contains(
            "{\"class\":\"io.delaybridge.connect.DelayTransform\",\"type\":\"transformation\","
                + "\"version\":\"0.1.0-SNAPSHOT\"}");
  }

  @Test
  void theWorkerShowsTheOptions() {
    assertThat(worker.get("/connector-plugins/CallbackSinkConnector/config"))
        .contains("\"name\":\"callback.max.in.flight\"");
    assertThat(worker.get("/connector-plugins/DelayTransform/config"))
        .contains("\"name\":\"deliver.at.field\"");
  }

  /** Half of the orders have no time. */
  @Test
  @SuppressWarnings("BanJNDI") // The worker is a process of this test.
  void theWorkerShowsHowManyRecordsPassForWantOfTheField() throws Exception {
    Path files = world.dir.resolve("worker");
    VirtualMachine process =
        VirtualMachine.attach(Files.readString(files.resolve("worker.pid")).split(" ", 2)[0]);
    try (JMXConnector jmx =
        JMXConnectorFactory.connect(new JMXServiceURL(process.startLocalManagementAgent()))) {
      MBeanServerConnection beans = jmx.getMBeanServerConnection();
      ObjectName transform =
          new ObjectName(
              "kafka.connect:type=plugins,connector=orders-later,task=0,transformation=later");

      await()
          .atMost(LIMIT)
          .ignoreException(InstanceNotFoundException.class)
          .untilAsserted(
              () ->
                  assertThat(beans.getAttribute(transform, "passed-total"))
                      .isEqualTo(LinesSource.COUNT / 2L));
    } finally {
      process.detach();
    }
    assertThat(Files.readString(files.resolve("worker.log")))
        .containsOnlyOnce(
            "A record of orders has no value.after and goes out undelayed (missing.field=pass)");
  }

  @Test
  void aWrongConfigurationIsRefusedWithWhatIsAllowed() {
    Map<String, String> wrong = world.sink(options());
    wrong.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
    wrong.put("callback.order", "some");
    String json =
        wrong.entrySet().stream()
            .map(entry -> '"' + entry.getKey() + "\":\"" + entry.getValue() + '"')
            .collect(Collectors.joining(",", "{", "}"));

    assertThat(worker.put("/connectors/wrong/config", json))
        .contains("contains the following 2 error(s)")
        .contains("callback.order is 'some', allowed: key, none")
        .contains(
            "value.converter is 'org.apache.kafka.connect.storage.StringConverter', allowed:"
                + " org.apache.kafka.connect.converters.ByteArrayConverter");
  }

  @Test
  void aMessageIsCalledWithItsHeadersAndASignature() {
    world.send(
        "delay-intake",
        "signed",
        "hello",
        "delay-target-topic",
        "calls",
        "delay-ms",
        "0",
        "delay-id",
        "id-1");

    await().atMost(LIMIT).until(() -> !calls("hello").isEmpty());
    Call call = calls("hello").get(0);
    assertThat(call.header("content-type")).isEqualTo("application/json");
    assertThat(call.header("delay-id")).isEqualTo("id-1");
    assertThat(call.header("delay-source")).startsWith("delay-intake/");
    assertThat(call.header("delay-callback-attempt")).isEqualTo("1");
    assertThat(call.header("delay-signature")).matches("t=\\d{10},v1=[0-9a-f]{64}");
  }

  @Test
  void aRefusalIsADeadLetterAtOnce() {
    send("refused", receiver.url("/404"));

    ConsumerRecord<String, String> dead = deadLetter("refused");
    assertThat(World.header(dead, "delay-dead-reason")).isEqualTo("CALLBACK_REFUSED");
    assertThat(World.header(dead, "delay-dead-detail")).isEqualTo("the receiver answered 404");
    assertThat(World.header(dead, "delay-source")).startsWith("delay-intake/");
    assertThat(World.header(dead, "delay-target-topic")).isEqualTo("calls");
    assertThat(calls("refused")).hasSize(1);
  }

  @Test
  void afterTheLastAttemptItIsADeadLetter() {
    send("exhausted", receiver.url("/500"));

    ConsumerRecord<String, String> dead = deadLetter("exhausted");
    assertThat(World.header(dead, "delay-dead-reason")).isEqualTo("CALLBACK_EXHAUSTED");
    assertThat(World.header(dead, "delay-attempt")).isEqualTo("3");
    assertThat(dead.value()).isEqualTo("exhausted");
    List<Call> calls = calls("exhausted");
    assertThat(calls)
        .extracting(call -> call.header("delay-callback-attempt"))
        .containsExactly("1", "2", "3");
    assertThat(calls)
        .extracting(call -> call.header("delay-callback-source"))
        .containsOnly(calls.get(0).header("delay-source"));
    assertThat(calls.get(1).at() - calls.get(0).at()).isGreaterThanOrEqualTo(160);
    assertThat(calls.get(2).at() - calls.get(1).at()).isGreaterThanOrEqualTo(320);
  }

  @Test
  void aHeaderDoesNotReachIntoTheNetwork() {
    int port = receiver.port();
    Map<String, String> urls =
        Map.of(
            "metadata", "http://169.254.169.254:" + port + "/200",
            "unlisted-name", "http://localhost:" + port + "/200",
            "unlisted-address", "http://127.0.0.2:" + port + "/200",
            "other-port", "http://127.0.0.1:" + (port + 1) + "/200",
            "other-scheme", "https://127.0.0.1:" + port + "/200",
            "user", "http://127.0.0.1@127.0.0.1:" + port + "/200");

    urls.forEach(PluginsIT::send);

    for (String key : urls.keySet()) {
      assertThat(World.header(deadLetter(key), "delay-dead-reason"))
          .as(key)
          .isEqualTo("CALLBACK_FORBIDDEN");
      assertThat(calls(key)).isEmpty();
    }
  }

  private static void send(String key, String url) {
    world.send(
        "delay-intake",
        key,
        key,
        "delay-target-topic",
        "calls",
        "delay-ms",
        "0",
        "delay-callback-url",
        url);
  }

  @Test
  void recordsOfAnySourceConnectorAreDelayed() {
    await().atMost(LIMIT).until(() -> world.read("orders").size() >= LinesSource.COUNT);

    List<ConsumerRecord<String, String>> orders = world.read("orders");
    assertThat(orders).hasSize(LinesSource.COUNT);
    for (ConsumerRecord<String, String> order : orders) {
      boolean delayed = order.value().contains("after");
      String source = World.header(order, "delay-source");
      assertThat(source != null).isEqualTo(delayed);
      if (delayed) {
        assertThat(order.value()).contains('"' + order.key() + '"');
        assertThat(World.header(order, "delay-id")).isEqualTo(order.key());
        assertThat(source).startsWith("delay-intake/");
      }
    }
    assertThat(orders.stream().filter(order -> order.key() != null)).hasSize(LinesSource.COUNT / 2);
  }

  @Test
  void recordsOfAnySourceConnectorRepeat() {
    await().atMost(LIMIT).until(() -> world.read("ticks").size() >= 2 * LinesSource.COUNT);

    List<ConsumerRecord<String, String>> ticks = world.read("ticks");
    assertThat(ticks)
        .extracting(
            tick ->
                World.header(tick, "delay-schedule") + " " + World.header(tick, "delay-occurrence"))
        .doesNotHaveDuplicates()
        .hasSize(2 * LinesSource.COUNT);
    assertThat(ticks)
        .allSatisfy(
            tick -> {
              assertThat(tick.key()).isEqualTo(World.header(tick, "delay-schedule"));
              assertThat(World.header(tick, "delay-occurrence")).isIn("1", "2");
              assertThat(World.header(tick, "delay-scheduled-at")).endsWith("000");
            });
  }
}
