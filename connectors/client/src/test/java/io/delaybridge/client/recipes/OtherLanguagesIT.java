package io.delaybridge.client.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.delaybridge.client.DelayedRecords;
import io.delaybridge.client.it.Bridge;
import io.delaybridge.client.it.WithBridge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The producers of the recipe in other languages, against the same broker and bridge. Each is
 * skipped, and says why, where its language or its Kafka package cannot be had.
 */
@Tag("one-version")
@ExtendWith(WithBridge.class)
class OtherLanguagesIT {

  private static final Path SOURCES = Path.of("src", "test").toAbsolutePath();
  private static final Path WORK = Path.of("target").toAbsolutePath();
  private static final long LIMIT_S = 300;

  @Test
  void pythonSchedulesAndCancels(Bridge bridge) throws Exception {
    Path packages = WORK.resolve("python");
    Map<String, String> env = Map.of("PYTHONPATH", packages.toString());
    assumeTrue(succeeds(SOURCES, env, "python3", "--version"), "there is no python3");
    if (!succeeds(SOURCES, env, "python3", "-c", "import confluent_kafka")) {
      String wanted = SOURCES.resolve("python/requirements.txt").toString();
      String[] install = {
        "python3", "-m", "pip", "install", "-q", "--target", packages.toString(), "-r", wanted
      };
      assumeTrue(succeeds(SOURCES, env, install), "pip cannot install confluent-kafka");
    }
    schedulesAndCancels(
        bridge, "python", env, "python3", SOURCES.resolve("python/delayed.py").toString());
  }

  @Test
  void goSchedulesAndCancels(Bridge bridge) throws Exception {
    Path source = SOURCES.resolve("go");
    assumeTrue(succeeds(source, Map.of(), "go", "version"), "there is no go");
    assumeTrue(succeeds(source, Map.of(), "go", "mod", "download"), "go cannot download franz-go");
    String program = WORK.resolve("go-delayed").toString();
    assertThat(succeeds(source, Map.of(), "go", "build", "-o", program, ".")).isTrue();
    schedulesAndCancels(bridge, "go", Map.of(), program);
  }

  /** What it schedules, it can cancel, and so can Java: both put a key into one partition. */
  private static void schedulesAndCancels(
      Bridge bridge, String target, Map<String, String> env, String... program) throws Exception {
    bridge.create(target);
    List<String> ids = List.of("1", "2", "3", "4", "5", "6");
    String[] schedule = {bridge.bootstrapServers(), "schedule", target, "PT8S"};
    String[] cancel = {bridge.bootstrapServers(), "cancel"};

    assertThat(succeeds(WORK, env, joined(program, schedule, ids.toArray(String[]::new)))).isTrue();
    assertThat(succeeds(WORK, env, joined(program, cancel, "1", "2"))).isTrue();
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      for (String id : List.of("3", "4", "5")) {
        Bridge.get(producer.send(DelayedRecords.cancel(id).record()));
      }
      for (String id : ids) {
        // Due after what has this key: when it has arrived, so has that.
        Bridge.get(
            producer.send(
                DelayedRecords.to(target).after(Duration.ofSeconds(8)).record(id, "last")));
      }
    }

    List<ConsumerRecord<String, String>> arrived = bridge.await(target, 7);
    assertThat(arrived).hasSize(7);
    assertThat(arrived)
        .filteredOn(record -> !record.value().equals("last"))
        .extracting(ConsumerRecord::value)
        .containsExactly("6");
  }

  private static String[] joined(String[] program, String[] arguments, String... more) {
    List<String> all = new ArrayList<>(List.of(program));
    all.addAll(List.of(arguments));
    all.addAll(Arrays.asList(more));
    return all.toArray(String[]::new);
  }

  private static boolean succeeds(Path dir, Map<String, String> env, String... command)
      throws IOException, InterruptedException {
    Path log = Files.createDirectories(WORK.resolve("it")).resolve("languages.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(env);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      // There is no such program.
      return false;
    }
    if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return false;
    }
    return process.exitValue() == 0;
  }
}
