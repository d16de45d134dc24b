package io.delaybridge.bench.speed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PagesTest {

  @TempDir Path dir;
  private Path from;
  private Path to;

  @BeforeEach
  void aRunHasAPage() throws IOException {
    from = Files.createDirectories(dir.resolve("run"));
    to = dir.resolve("docs");
    Files.writeString(from.resolve("soak.md"), "new");
    Files.writeString(from.resolve("soak-memory.png"), "new");
  }

  @Test
  void allFilesOfTheRunAreMoved() throws IOException {
    Pages.publish(from, to, "soak");
    assertThat(to.resolve("soak.md")).hasContent("new");
    assertThat(to.resolve("soak-memory.png")).hasContent("new");
    assertThat(from).isEmptyDirectory();
  }

  @Test
  void whatTheExperimentHadBeforeIsGoneAlsoIfTheRunHasNotMadeItAnew() throws IOException {
    Files.createDirectories(to);
    for (String old : new String[] {"soak.md", "soak.png", "soak-lateness.png"}) {
      Files.writeString(to.resolve(old), "old");
    }
    Pages.publish(from, to, "soak");
    assertThat(to.resolve("soak.md")).hasContent("new");
    assertThat(to.resolve("soak.png")).doesNotExist();
    assertThat(to.resolve("soak-lateness.png")).doesNotExist();
  }

  @Test
  void filesOfOthersStay() throws IOException {
    Files.createDirectories(to);
    for (String other : new String[] {"README.md", "herd.md", "soaked.md"}) {
      Files.writeString(to.resolve(other), "old");
    }
    Pages.publish(from, to, "soak");
    assertThat(to.resolve("README.md")).exists();
    assertThat(to.resolve("herd.md")).exists();
    assertThat(to.resolve("soaked.md")).exists();
  }
}
