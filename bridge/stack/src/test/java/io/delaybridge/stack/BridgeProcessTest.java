package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BridgeProcessTest {

  @TempDir Path dir;

  @Test
  void runsTheJarWithPortsAndConfigurationUntilItIsHealthy() throws Exception {
    Path jar = StandIn.jar(dir.resolve("stand-in.jar"));

    try (BridgeProcess bridge = BridgeProcess.of(jar, dir).config(dir.resolve("c.yml"))) {
      bridge.env("GREETING", "hello").start().awaitHealthy(Duration.ofSeconds(20));

      assertThat(bridge.health())
          .isEqualTo(
              new BridgeProcess.Health(200, "server %s hello".formatted(dir.resolve("c.yml"))));
      bridge.stop();
      assertThat(bridge.isAlive()).isFalse();
      assertThat(bridge.health().status()).isZero();
    }
  }

  @Test
  void givesTheJvmTheOptionsBesideTheJar() throws Exception {
    Path jar = StandIn.jar(dir.resolve("stand-in.jar"));
    Files.writeString(dir.resolve("jvm.options"), "# they may be explained\n-Xmx77m\n");

    try (BridgeProcess bridge = BridgeProcess.of(jar, dir).config(dir.resolve("c.yml"))) {
      bridge.jvm("-XX:+PrintCommandLineFlags").start().awaitHealthy(Duration.ofSeconds(20));

      assertThat(dir.resolve("bridge.log")).content().contains("-XX:MaxHeapSize=" + (77 << 20));
    }
  }

  @Test
  void saysThatTheJarMustBeBuilt() {
    BridgeProcess bridge =
        BridgeProcess.of(dir.resolve("no.jar"), dir).config(dir.resolve("c.yml"));

    assertThatThrownBy(bridge::start)
        .isInstanceOf(StackException.class)
        .hasMessage(
            "The bridge's jar is not there (%s): build it with mvn -Dquick -DskipTests package"
                .formatted(dir.resolve("no.jar")));
  }
}
