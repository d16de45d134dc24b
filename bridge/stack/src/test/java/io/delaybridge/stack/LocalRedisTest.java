package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRedisTest {

  @TempDir Path dir;
  private LocalRedis redis;

  @BeforeEach
  void start() {
    redis = LocalRedis.at(dir.resolve("a redis")).start();
  }

  @AfterEach
  void kill() {
    redis.kill();
  }

  @Test
  void keepsItsDataAndItsPortWhenKilled() {
    redis.command("SET", "key", "value");
    String uri = redis.uri();

    redis.kill();
    assertThat(redis.isAlive()).isFalse();
    redis.restart();

    assertThat(redis.uri()).isEqualTo(uri);
    assertThat(redis.command("GET", "key")).isEqualTo("value");
  }

  @Test
  void goesBackToAnOlderCopyOfItsData() {
    Path copy = dir.resolve("copy");
    redis.command("SET", "key", "old");
    redis.copyData(copy);
    redis.command("SET", "key", "new");

    redis.stop();
    redis.restoreData(copy);
    redis.start();

    assertThat(redis.command("GET", "key")).isEqualTo("old");
  }

  @Test
  void refusesToReplaceTheDataOfARunningServer() {
    assertThatThrownBy(() -> redis.restoreData(dir))
        .isInstanceOf(StackException.class)
        .hasMessage("Stop Redis before its data is replaced.");
  }

  @Test
  void answersAgainAfterAPause() {
    int port = Integer.parseInt(redis.uri().replaceAll(".*:", ""));

    redis.pause();
    assertThat(Probe.redis(port)).isFalse();

    redis.resume();
    assertThat(Probe.redis(port)).isTrue();
  }

  @Test
  void isConfiguredToLoseAndEvictNothing() {
    assertThat(redis.command("CONFIG", "GET", "appendonly"))
        .isEqualTo(List.of("appendonly", "yes"));
    assertThat(redis.command("CONFIG", "GET", "save")).isEqualTo(List.of("save", ""));
    assertThat(redis.command("CONFIG", "GET", "bind")).isEqualTo(List.of("bind", "127.0.0.1"));
    assertThat(redis.command("CONFIG", "GET", "maxmemory-policy"))
        .isEqualTo(List.of("maxmemory-policy", "noeviction"));
  }

  @Test
  void takesOtherSettingsAtARestart() {
    redis.with("maxmemory", "100mb").restart();

    assertThat(redis.command("CONFIG", "GET", "maxmemory"))
        .isEqualTo(List.of("maxmemory", "104857600"));
  }

  @Test
  void runsTheBundledProgram() {
    try (LocalRedis bundled = LocalRedis.at(dir.resolve("bundled")).embedded().start()) {
      assertThat(String.valueOf(bundled.command("INFO", "server"))).contains("redis_version:6.2");
      assertThat(dir.resolve("bundled/bin")).isDirectoryContaining("glob:**redis-server-6.2*");
    }
  }

  @Test
  void runsTheBundledProgramIfTheBuildNamesIt() {
    withBinary(
        "embedded",
        () ->
            assertThat(RedisBinary.any(dir.resolve("named")))
                .isEqualTo(RedisBinary.embedded(dir.resolve("named"))));
  }

  @Test
  void runsTheProgramThatTheBuildNames() {
    Path named = RedisBinary.embedded(dir.resolve("named"));
    withBinary(
        named.toString(),
        () -> {
          try (LocalRedis other = LocalRedis.at(dir.resolve("other")).start()) {
            assertThat(String.valueOf(other.command("INFO", "server")))
                .contains("executable:" + named);
          }
        });
  }

  @Test
  void doesNotStartAnotherProgramThanTheBuildNames() {
    withBinary(
        dir.resolve("missing").toString(),
        () ->
            assertThatThrownBy(() -> LocalRedis.at(dir.resolve("other")).start())
                .isInstanceOf(StackException.class)
                .hasMessageContaining("missing is no program"));
  }

  private static void withBinary(String binary, Runnable test) {
    String before = System.getProperty("redis.binary");
    System.setProperty("redis.binary", binary);
    try {
      test.run();
    } finally {
      if (before == null) {
        System.clearProperty("redis.binary");
      } else {
        System.setProperty("redis.binary", before);
      }
    }
  }

  @Test
  void passesOnTheErrorOfACommand() {
    redis.command("SET", "key", "text");

    assertThatThrownBy(() -> redis.command("INCR", "key"))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("not an integer");
  }

  @Test
  void namesThePortThatIsTaken() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = socket.getLocalPort();

      assertThatThrownBy(() -> LocalRedis.at(dir.resolve("other")).port(port).start())
          .isInstanceOf(StackException.class)
          .hasMessage(
              "Port %d for Redis is taken: choose another one with LocalRedis.port"
                  .formatted(port));
    }
  }
}
