package io.delaybridge.stack;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The local run as a process of its own, with a stand-in for the bridge. */
class LocalTest {

  private static final List<String> PARTS =
      List.of("redis/redis.pid", "kafka/broker.pid", "bridge/bridge.pid");

  @TempDir Path root;
  private final Map<String, String> properties = new TreeMap<>();
  private Path output;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void prepare() throws IOException {
    output = root.resolve("output");
    StandIn.jar(root.resolve("bridge/service/target/delay-bridge/delay-bridge.jar"));
    for (String port : List.of("kafka.port", "redis.port", "http.port", "admin.port")) {
      properties.put(port, Integer.toString(Ports.free()));
    }
  }

  @AfterEach
  void kill() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void endsEverythingInOrderOnCtrlC() throws Exception {
    Process local = start();
    List<ProcessHandle> parts = awaitStarted();

    ManagedProcess.kill("INT", local.pid()).start().waitFor();

    assertThat(local.waitFor(10, SECONDS)).isTrue();
    assertThat(parts).noneMatch(ProcessHandle::isAlive);
    assertThat(shown())
        .containsSubsequence("Bridge   stopped", "Kafka    stopped", "Redis    stopped");
    assertThat(shown()).doesNotContain("by itself");
  }

  @Test
  void saysWhichPartEndedByItselfAndEndsTheRest() throws Exception {
    Process local = start();
    List<ProcessHandle> parts = awaitStarted();

    parts.get(0).destroyForcibly();

    assertThat(local.waitFor(15, SECONDS)).isTrue();
    assertThat(local.exitValue()).isEqualTo(1);
    assertThat(parts).noneMatch(ProcessHandle::isAlive);
    assertThat(shown())
        .contains(
            "Redis ended by itself with exit code 137. Its log: "
                + root.resolve("local-data/redis/redis.log"));
  }

  @Test
  void namesThePortThatIsTakenInOneLine() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      properties.put("redis.port", Integer.toString(socket.getLocalPort()));
      Process local = start();

      assertThat(local.waitFor(20, SECONDS)).isTrue();
      assertThat(local.exitValue()).isEqualTo(1);
      assertThat(shown())
          .isEqualToIgnoringNewLines(
              "Port %d for Redis is taken: choose another one with -Dredis.port=<port>"
                  .formatted(socket.getLocalPort()));
    }
  }

  private Process start() throws IOException {
    List<String> command = new ArrayList<>(List.of(Java.command()));
    properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(
        List.of(
            "-cp", System.getProperty("java.class.path"), Local.class.getName(), root.toString()));
    Process local =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    started.add(local);
    return local;
  }

  private List<ProcessHandle> awaitStarted() {
    await().atMost(60, SECONDS).until(() -> shown().contains("Ctrl-C ends it all"));
    return PARTS.stream().flatMap(this::running).toList();
  }

  private Stream<ProcessHandle> running(String pidFile) {
    return new PidFile(root.resolve("local-data").resolve(pidFile)).running().stream();
  }

  private String shown() throws IOException {
    return Files.readString(output);
  }
}
