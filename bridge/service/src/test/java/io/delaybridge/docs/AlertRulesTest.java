package io.delaybridge.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks with Prometheus' own tool that the alerts fire when they should, and only then. */
class AlertRulesTest {

  @Test
  void theAlertsPassTheirTests() throws IOException, InterruptedException {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(dir -> Files.isExecutable(Path.of(dir, "promtool"))),
        "promtool is not on the PATH (Debian: in the package prometheus)");
    Process promtool =
        new ProcessBuilder(List.of("promtool", "test", "rules", "rules_test.yml"))
            .directory(Page.root().resolve("docker/prometheus").toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(promtool.waitFor()).as(said).isZero();
    assertThat(said).contains("SUCCESS");
  }
}
