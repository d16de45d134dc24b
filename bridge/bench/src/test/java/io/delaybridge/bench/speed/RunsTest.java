package io.delaybridge.bench.speed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsTest {

  @TempDir Path parent;
  private Runs runs;
  private Path dir;

  @BeforeEach
  void beginARunThatHasDataAndLogs() throws IOException {
    runs = new Runs(parent.resolve("speed"));
    dir = runs.begin("herd");
    Files.writeString(Files.createDirectories(dir.resolve("kafka/data/in-0")).resolve("0.log"), "");
    Files.writeString(Files.createDirectories(dir.resolve("redis/data")).resolve("a.aof"), "");
    Files.writeString(dir.resolve("kafka/broker.log"), "started");
  }

  @Test
  void theDataOfADeadRunIsSweptAndItsLogsStay() throws IOException, InterruptedException {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Files.writeString(dir.resolve("pid"), Long.toString(dead.pid()));
    runs.sweep();
    assertThat(dir.resolve("kafka/data")).doesNotExist();
    assertThat(dir.resolve("redis/data")).doesNotExist();
    assertThat(dir.resolve("kafka/broker.log")).exists();
  }

  @Test
  void theDataOfARunThatIsAliveStays() throws IOException {
    runs.sweep();
    assertThat(dir.resolve("kafka/data/in-0/0.log")).exists();
    assertThat(dir.resolve("redis/data/a.aof")).exists();
  }

  @Test
  void withoutAProcessNobodyKnowsSoTheDataStays() throws IOException {
    Files.delete(dir.resolve("pid"));
    runs.sweep();
    assertThat(dir.resolve("kafka/data/in-0/0.log")).exists();
  }

  @Test
  void beforeTheFirstRunThereIsNothingToSweep() throws IOException {
    Runs none = new Runs(parent.resolve("none"));
    none.sweep();
    assertThat(parent.resolve("none")).doesNotExist();
  }
}
