package io.delaybridge.stack;

import static io.delaybridge.stack.LocalOptions.shown;

import io.delaybridge.schemas.DelayTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Runs Kafka, Redis and the bridge in the foreground until Ctrl-C, sends a short demo and shows
 * what arrives. {@link LocalOptions} describes the options.
 */
public final class Local {

  private static final String BRIDGE = "Bridge";
  private static final String KAFKA = "Kafka";
  private static final String REDIS = "Redis";

  private static final Duration BRIDGE_START = Duration.ofSeconds(90);
  private static final Duration READER_START = Duration.ofSeconds(30);
  private static final Duration DEMO_LIMIT = Duration.ofSeconds(40);

  /** The time limit for each of the three processes, so that all stop within ten seconds. */
  private static final Duration STOP = Duration.ofSeconds(3);

  private final LocalOptions options;
  private final Screen screen;
  private final LocalRedis redis;
  private final LocalBroker broker;
  private final BridgeProcess bridge;
  private final Demo demo = new Demo();
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private volatile @Nullable Arrivals arrivals;
  private volatile boolean stopping;

  private Local(LocalOptions options, Screen screen) {
    this.options = options;
    this.screen = screen;
    Path data = options.data();
    redis = LocalRedis.at(data.resolve("redis")).port(options.redisPort());
    broker =
        LocalBroker.at(data.resolve("kafka"))
            .port(options.kafkaPort())
            // Checkpoints are kept even if the local run is not started for a year.
            .with("offsets.retention.minutes", Long.toString(TimeUnit.DAYS.toMinutes(366)));
    bridge =
        BridgeProcess.of(options.jar(), data.resolve("bridge"))
            .config(options.config())
            .httpPort(options.httpPort())
            .adminPort(options.adminPort());
  }

  /**
   * Runs until the JVM is terminated or something fails. After a failure, the exit code is 1.
   *
   * @param args the root of the checkout; without it, the current directory
   */
  public static void main(String[] args) {
    Screen screen = new Screen(System.out);
    try {
      LocalOptions options =
          LocalOptions.read(Path.of(args.length == 0 ? "" : args[0]).toAbsolutePath());
      System.setProperty("logback.configurationFile", "io/delaybridge/stack/local-logback.xml");
      System.setProperty("local.log", options.data().resolve("local.log").toString());
      options.requireJar();
      options.requireFreePorts();
      new Local(options, screen).run();
    } catch (StackException e) {
      screen.line("");
      screen.line(String.valueOf(e.getMessage()));
    }
    System.exit(1);
  }

  /** Prints the reason and returns when something fails. Ctrl-C ends the JVM before that. */
  private void run() {
    Children.beforeEnd(this::stop);
    Thread worker = new Thread(this::work, "local");
    worker.setDaemon(true);
    worker.start();
    String why = end.join();
    // Ctrl-C in the middle of a start looks like a failed start.
    if (!stopping) {
      screen.line("");
      screen.line(why);
    }
  }

  private void work() {
    try {
      startAll();
      explain();
      runDemo();
    } catch (RuntimeException e) {
      end.complete(e instanceof StackException ? e.getMessage() : e.toString());
    }
  }

  private void startAll() {
    screen.line("Starting Redis, Kafka and the bridge. Data and logs: " + shown(options.data()));
    screen.line("");
    start(REDIS, redis.process(), redis::start, "redis://127.0.0.1:" + options.redisPort());
    start(KAFKA, broker.process(), broker::start, "127.0.0.1:" + options.kafkaPort());
    Topics.create(broker.bootstrapServers(), Demo.TOPIC);
    bridge.env("KAFKA_BOOTSTRAP_SERVERS", broker.bootstrapServers()).env("REDIS_URI", redis.uri());
    start(
        BRIDGE,
        bridge.process(),
        () -> bridge.start().awaitHealthy(BRIDGE_START),
        "http://127.0.0.1:" + options.httpPort());
    screen.item("Health", bridge.adminUri() + "/healthcheck", "");
    screen.item("Metrics", bridge.adminUri() + "/prometheus", "");
  }

  private void start(String name, ManagedProcess process, Runnable start, String address) {
    long from = System.nanoTime();
    start.run();
    screen.item(name, address, "ready in " + Screen.since(from));
    process.onExit(
        code ->
            end.complete(
                "%s ended by itself with exit code %d. Its log: %s"
                    .formatted(name, code, shown(process.log()))));
  }

  private void explain() {
    String java = "  java -jar " + shown(options.jar());
    String cluster =
        options.kafkaPort() == LocalOptions.KAFKA_PORT
            ? ""
            : " --bootstrap 127.0.0.1:" + options.kafkaPort();
    screen.line("");
    screen.line("Send a message that is due in 5 seconds, read what arrives:");
    screen.line(
        java + " send" + cluster + " --target " + Demo.TOPIC + " --delay PT5S --value hello");
    screen.line(java + " tail" + cluster + " " + Demo.TOPIC);
    screen.line("");
    screen.line("What arrives is shown here too. First a demo of ten seconds; Ctrl-C ends it all.");
    screen.line("");
  }

  private void show(ConsumerRecord<byte[], byte[]> record) {
    Arrival arrival = new Arrival(record, System.currentTimeMillis());
    if (!record.topic().equals(Demo.LATER)) {
      screen.arrival(arrival);
    }
    demo.arrived(arrival);
  }

  private void runDemo() {
    Arrivals reader =
        new Arrivals(
            broker.bootstrapServers(),
            List.of(Demo.TOPIC, DelayTopics.DEAD_LETTER, Demo.LATER),
            this::show);
    arrivals = reader;
    reader.awaitReading(READER_START);
    demo.send(broker.bootstrapServers());
    demo.done().completeOnTimeout(null, DEMO_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    screen.line("");
    screen.line(demo.summary());
    screen.line("");
  }

  /** Runs when the JVM shuts down. Stops the bridge before the servers that it uses. */
  private void stop() {
    stopping = true;
    Arrivals reader = arrivals;
    if (reader != null) {
      reader.close();
    }
    screen.line("");
    stop(BRIDGE, bridge.process());
    stop(KAFKA, broker.process());
    stop(REDIS, redis.process());
    screen.line("What is pending is kept and delivered after the next start.");
  }

  private void stop(String name, ManagedProcess process) {
    if (process.isAlive()) {
      long from = System.nanoTime();
      process.stop(STOP);
      screen.item(name, "stopped in " + Screen.since(from), "");
    }
  }
}
