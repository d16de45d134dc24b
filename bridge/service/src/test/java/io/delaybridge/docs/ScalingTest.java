package io.delaybridge.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checks that the tables of docs/scaling.md agree with the model. */
class ScalingTest {

  @Test
  void theTablesAreThoseOfTheModel() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder command =
        new ProcessBuilder(java, "docs/scaling/Scaling.java")
            .directory(Page.root().toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    // The locale of most containers: without the letters of the tables.
    command.environment().put("LC_ALL", "C");
    Process model = command.start();
    String said = new String(model.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(model.waitFor()).isZero();
    assertThat(said.strip().split("\n\n")).hasSize(2);
    assertThat(Files.readString(Page.root().resolve("docs/scaling.md")))
        .contains(said.strip().split("\n\n"));
  }
}
