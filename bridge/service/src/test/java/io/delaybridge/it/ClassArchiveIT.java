package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.delaybridge.stack.ProcessServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Checks that the class archives of the build are valid: a JVM silently ignores an invalid one.
 * Also checks that the options beside the jar are used.
 */
@EnabledOnOs(OS.LINUX)
class ClassArchiveIT {

  @Test
  void bridge_and_broker_have_their_classes_from_an_archive() throws IOException {
    assumeFalse(Boolean.getBoolean("archives.skip"), "-Darchives.skip");
    try (World world = World.start();
        Scenario scenario = world.scenario()) {
      assertThat(mapped(scenario.bridge())).contains("/delay-bridge/classes.jsa");
      assertThat(commandLine(scenario.bridge())).contains("/delay-bridge/jvm.options");
      if (world.stack.kafka() instanceof ProcessServer broker) {
        assertThat(mapped(broker)).contains("/broker.jsa");
      }
    }
  }

  private static String commandLine(ProcessServer process) throws IOException {
    return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
  }

  /** The files that a process has in its memory. */
  private static String mapped(ProcessServer process) throws IOException {
    return Files.readString(Path.of("/proc/" + process.pid() + "/maps"));
  }
}
