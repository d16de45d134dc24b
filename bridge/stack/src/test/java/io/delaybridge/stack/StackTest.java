package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;

class StackTest {

  @TempDir Path dir;
  private @Nullable String chosen;

  @BeforeEach
  void remember() {
    chosen = System.getProperty("stack");
  }

  @AfterEach
  void putBack() {
    choose(chosen);
  }

  @Test
  void startsBothAndLetsEachFailAndComeBack() throws Exception {
    try (Stack stack = Stack.start(dir)) {
      int redisPort = URI.create(stack.redisUri()).getPort();
      Topic topic = new Topic(stack.bootstrapServers(), "topic");
      topic.create(1);

      stack.redis().kill();
      assertThat(Probe.redis(redisPort)).isFalse();
      stack.redis().restart();
      assertThat(Probe.redis(redisPort)).isTrue();

      stack.kafka().kill();
      stack.kafka().restart();
      topic.send("value");
      assertThat(topic.readAll()).containsExactly("value");
    }
  }

  @Test
  void saysThatContainersNeedADockerEngine() {
    assumeFalse(DockerClientFactory.instance().isDockerAvailable(), "a Docker engine answers here");
    choose("containers");

    assertThatThrownBy(() -> Stack.start(dir))
        .isInstanceOf(StackException.class)
        .hasMessage(
            "-Dstack=containers needs a Docker engine and none answers: start one, or leave the"
                + " option out to use processes of this machine.");
  }

  @Test
  void saysWhatCanBeChosen() {
    choose("cloud");

    assertThatThrownBy(() -> Stack.start(dir))
        .isInstanceOf(StackException.class)
        .hasMessage("-Dstack=cloud is not known: allowed are processes (default), containers.");
  }

  private static void choose(@Nullable String stack) {
    if (stack == null) {
      System.clearProperty("stack");
    } else {
      System.setProperty("stack", stack);
    }
  }
}
