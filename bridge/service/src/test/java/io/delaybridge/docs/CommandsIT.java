package io.delaybridge.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.delaybridge.docs.Page.Block;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.Stack;
import io.delaybridge.stack.StackSettings;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the commands of the pages, page by page, on what {@code mvn -q -Plocal} would have there.
 */
class CommandsIT {

  private static final Duration START = Duration.ofSeconds(60);
  private static final long LIMIT_SECONDS = 180;

  /** The tools of Kafka's distribution, by the class that each is. */
  private static final Map<String, String> TOOLS =
      Map.of(
          "kafka-console-producer.sh", "org.apache.kafka.tools.ConsoleProducer",
          "kafka-console-consumer.sh", "org.apache.kafka.tools.consumer.ConsoleConsumer",
          "kafka-consumer-groups.sh", "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
          "kafka-topics.sh", "org.apache.kafka.tools.TopicCommand",
          "kafka-configs.sh", "kafka.admin.ConfigCommand");

  private static Path dir;
  private static Stack stack;
  private static BridgeProcess bridge;

  @BeforeAll
  static void start() throws Exception {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    dir = Files.createTempDirectory(parent, "commands");
    stack = Stack.start(dir, StackSettings.NONE);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.bootstrapServers()))) {
      admin
          .createTopics(
              Stream.of("delay-demo", "orders")
                  .map(topic -> new NewTopic(topic, Optional.of(1), Optional.empty()))
                  .toList())
          .all()
          .get();
    }
    bridge =
        BridgeProcess.of(Path.of(System.getProperty("bridge.jar")), dir.resolve("bridge"))
            .config(Path.of("config.yml"))
            .env("KAFKA_BOOTSTRAP_SERVERS", stack.bootstrapServers())
            .env("REDIS_URI", stack.redisUri())
            .start()
            .awaitHealthy(START);
    writeTools(Files.createDirectory(dir.resolve("bin")));
  }

  @AfterAll
  static void stop() {
    bridge.close();
    stack.close();
  }

  static List<Page> pages() throws IOException {
    return Page.all().stream()
        .filter(page -> page.blocks().stream().anyMatch(CommandsIT::runs))
        .toList();
  }

  private static boolean runs(Block block) {
    return block.info().equals("sh run");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pages")
  void the_commands_of_a_page_work(Page page) throws Exception {
    String commands =
        page.blocks().stream()
            .filter(CommandsIT::runs)
            .map(block -> "echo '== " + block + "'\n" + block.text())
            .collect(Collectors.joining("\n", "set -e\n", ""));
    for (String program : List.of("curl", "redis-cli")) {
      assumeTrue(
          !commands.contains(program) || isInstalled(program), program + " is not installed");
    }
    Path script = Files.writeString(Files.createTempFile(dir, "page", ".sh"), here(commands));
    Path output = script.resolveSibling(script.getFileName() + ".out");
    ProcessBuilder shell =
        new ProcessBuilder("bash", script.toString())
            .directory(Page.root().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    shell
        .environment()
        .merge("PATH", dir.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
    shell.environment().put("KAFKA_BOOTSTRAP_SERVERS", stack.bootstrapServers());
    Process process = shell.start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ends: %s", output).isTrue();
      assertThat(process.exitValue()).as("%s", Files.readString(output)).isZero();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** The same commands for the ports and places of this run. */
  private static String here(String commands) {
    return commands
        .replace("http://127.0.0.1:8080", bridge.httpUri())
        .replace("http://127.0.0.1:8081", bridge.adminUri())
        .replace("127.0.0.1:9092", stack.bootstrapServers())
        .replace(" -jar delay-bridge.jar", " -jar " + System.getProperty("bridge.jar"))
        .replace(" config.yml", " bridge/service/config.yml");
  }

  private static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(part -> Files.isExecutable(Path.of(part, program)));
  }

  private static void writeTools(Path bin) throws IOException {
    String broker;
    try (InputStream in = Stack.class.getResourceAsStream("broker.classpath")) {
      broker = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    String classes = System.getProperty("surefire.test.class.path") + ":" + broker.strip();
    for (Map.Entry<String, String> tool : TOOLS.entrySet()) {
      program(
          bin.resolve(tool.getKey()),
          "exec java -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\""
              .formatted(classes, tool.getValue()));
    }
    // An answer that is an error fails the page.
    program(bin.resolve("curl"), "PATH=${PATH#*:} exec curl --fail-with-body \"$@\"");
    String port = stack.redisUri().substring(stack.redisUri().lastIndexOf(':') + 1);
    program(
        bin.resolve("redis-cli"), "PATH=${PATH#*:} exec redis-cli -p %s \"$@\"".formatted(port));
  }

  private static void program(Path file, String line) throws IOException {
    Files.writeString(file, "#!/usr/bin/env bash\n" + line + "\n");
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + " cannot be made executable");
    }
  }
}
