package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManagedProcessTest {

  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"KILL", "TERM", "INT"})
  void doesNotOutliveTheJvmThatStartedIt(String signal) throws Exception {
    Process parent =
        new ProcessBuilder(
                Java.command(),
                "-cp",
                System.getProperty("java.class.path"),
                Orphan.class.getName(),
                dir.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader output = parent.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();

      ManagedProcess.kill(signal, parent.pid()).start().waitFor();

      await().atMost(Duration.ofSeconds(30)).until(() -> !PidFile.isRunning(child));
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void keepsNobodyWaitingToKillAProcessThatHasEnded() {
    ManagedProcess process = new ManagedProcess("brief", dir);
    process.start(List.of("sleep", "60"), Map.of());
    assertThat(watchers(process.pid())).isPositive();

    ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);

    await().atMost(Duration.ofSeconds(30)).until(() -> watchers(process.pid()) == 0);
  }

  /** Returns the number of shells that would kill the process with this id. */
  private static long watchers(long pid) {
    return ProcessHandle.current()
        .children()
        .filter(
            child ->
                List.of(child.info().arguments().orElse(new String[0]))
                    .contains(Long.toString(pid)))
        .count();
  }

  @Test
  void endsByForceWhatDoesNotStop() {
    ManagedProcess process = new ManagedProcess("stubborn", dir);
    process.start(
        List.of("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done"), Map.of());
    process.awaitReady(Duration.ofSeconds(5), () -> LogTail.of(process.log(), 1).equals("ready"));

    process.stop(SHORT);

    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void saysHowAProcessEndedThatDidNotComeUp() {
    ManagedProcess process = new ManagedProcess("weak", dir);
    process.start(List.of("sh", "-c", "echo no luck; exit 7"), Map.of());

    assertThatThrownBy(() -> process.awaitReady(Duration.ofSeconds(5), () -> false))
        .isInstanceOf(StackException.class)
        .hasMessage(
            "weak ended with exit code 7 while starting. The end of %s:%nno luck"
                .formatted(process.log()));
  }

  @Test
  void endsAProcessThatDoesNotAnswerInTime() {
    ManagedProcess process = new ManagedProcess("mute", dir);
    process.start(List.of("sleep", "60"), Map.of());

    assertThatThrownBy(() -> process.awaitReady(SHORT, () -> false))
        .isInstanceOf(StackException.class)
        .hasMessageStartingWith("mute did not answer within 0.2 s.");
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void ignoresThePidFileOfAProcessThatIsGone() throws Exception {
    Files.writeString(dir.resolve("sleep.pid"), ProcessHandle.current().pid() + " 1000\n");
    ManagedProcess process = new ManagedProcess("sleep", dir);

    process.start(List.of("sleep", "60"), Map.of());

    assertThat(process.isAlive()).isTrue();
    process.kill();
  }

  @Test
  void ignoresThePidFileOfAProcessThatHasEndedButIsStillListed() throws Exception {
    PidFile file = new PidFile(dir.resolve("sleep.pid"));
    Process parent =
        new ProcessBuilder("sh", "-c", "sleep 60 & echo $!; exec sleep 60 >/dev/null").start();
    try (BufferedReader output = parent.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      file.write(child);
      assertThat(file.running()).isPresent();

      child.destroyForcibly();

      await().atMost(Duration.ofSeconds(60)).until(() -> file.running().isEmpty());

      assertThat(ProcessHandle.of(child.pid())).isPresent();
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void refusesToSignalWhatDoesNotRun() {
    ManagedProcess process = new ManagedProcess("nobody", dir);

    assertThatThrownBy(process::pause)
        .isInstanceOf(StackException.class)
        .hasMessage("nobody does not run: no SIGSTOP sent.");
  }
}
