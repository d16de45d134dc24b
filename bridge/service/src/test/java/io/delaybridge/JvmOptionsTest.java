package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The options that are delivered beside the jar. */
class JvmOptionsTest {

  private static final Path FILE = Path.of("jvm.options");

  @Test
  void aJvmTakesEachOfThem() throws Exception {
    List<String> options =
        Files.readAllLines(FILE).stream().filter(line -> line.startsWith("-")).toList();
    String flags = flags();

    assertThat(options).hasSizeGreaterThan(4);
    for (String option : options) {
      String name = option.replaceFirst("^-XX:[+-]?", "").replaceFirst("=.*", "");
      String value =
          option.contains("=")
              ? option.replaceFirst(".*=", "")
              : Boolean.toString(option.startsWith("-XX:+"));
      assertThat(flags)
          .as(option)
          .containsPattern("\\b" + name + "\\s+= " + value + "\\s.*\\{command line}");
    }
  }

  @Test
  void theImageStartsWithThem() throws Exception {
    Path docker = Path.of("../../docker");

    assertThat(Files.readString(docker.resolve("entrypoint"))).contains("exec java @jvm.options ");
    assertThat(Files.readString(docker.resolve("Dockerfile")))
        .contains("target/delay-bridge/jvm.options");
  }

  private static String flags() throws Exception {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + FILE,
                "-XX:+PrintFlagsFinal",
                "-version")
            .redirectErrorStream(true)
            .start();
    String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(java.waitFor()).as(said).isZero();
    return said;
  }
}
