package io.delaybridge.stack;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that can be started, signalled and ended, one at a time. It writes to {@code
 * <dir>/<name>.log}, and its id is in {@code <dir>/<name>.pid} while it runs. It does not receive
 * the terminal's Ctrl-C and does not outlive this JVM.
 */
final class ManagedProcess {

  private static final Duration DEATH = Duration.ofSeconds(10);

  private final String name;
  private final Path dir;
  private final Path log;
  private final PidFile pidFile;
  private volatile @Nullable Process process;
  private volatile boolean paused;

  ManagedProcess(String name, Path dir) {
    this.name = name;
    this.dir = dir.toAbsolutePath();
    this.log = this.dir.resolve(name + ".log");
    this.pidFile = new PidFile(this.dir.resolve(name + ".pid"));
  }

  /**
   * Creates the directory if necessary and checks that no process uses it.
   *
   * @throws StackException if a process uses it, with the process id
   */
  void claim() {
    try {
      Files.createDirectories(dir);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    pidFile
        .running()
        .ifPresent(
            other -> {
              throw new StackException(
                  "%s already runs on %s as process %d: stop it first."
                      .formatted(name, dir, other.pid()));
            });
  }

  /** Starts the command in the directory, with these variables added to the environment. */
  void start(List<String> command, Map<String, String> environment) {
    claim();
    ProcessBuilder builder =
        new ProcessBuilder(OwnSession.of(command))
            .directory(dir.toFile())
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    try {
      Process started = builder.start();
      process = started;
      Leash.on(started);
      pidFile.write(started.toHandle());
      Children.add(this);
    } catch (IOException e) {
      kill();
      throw new StackException("%s could not be started: %s".formatted(name, e.getMessage()), e);
    }
  }

  /**
   * Waits until a newly started process answers, and kills it if it does not.
   *
   * @throws StackException if it died or the limit has passed, with the last lines of the log
   */
  void awaitReady(Duration limit, BooleanSupplier probe) {
    boolean answered =
        Await.until(name + " to answer", limit, () -> !isAlive() || probe.getAsBoolean());
    if (!isAlive()) {
      throw failure("ended with exit code " + exitCode() + " while starting");
    }
    if (!answered) {
      kill();
      throw failure("did not answer within " + limit.toMillis() / 1000.0 + " s");
    }
  }

  /**
   * Waits for a process that ends by itself.
   *
   * @return its exit code, or one that is not zero if it had to be killed at the limit
   */
  int awaitEnd(Duration limit) {
    waitFor(started(), limit);
    kill();
    return exitCode();
  }

  /**
   * Returns the exception for a problem with this process. It names the process and quotes its log.
   */
  StackException failure(String what) {
    return new StackException(
        "%s %s. The end of %s:%n%s".formatted(name, what, log, LogTail.of(log, 15)));
  }

  void kill() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
      if (!waitFor(running, DEATH)) {
        throw new StackException("%s (process %d) cannot be killed.".formatted(name, pid()));
      }
      ended();
    }
  }

  void stop(Duration grace) {
    Process running = process;
    if (running != null && running.isAlive()) {
      if (paused) {
        resume();
      }
      running.destroy();
      waitFor(running, grace);
    }
    kill();
  }

  void pause() {
    signal("STOP");
    paused = true;
  }

  void resume() {
    signal("CONT");
    paused = false;
  }

  boolean isAlive() {
    Process running = process;
    return running != null && running.isAlive();
  }

  /**
   * The process id.
   *
   * @throws StackException if the process was never started
   */
  long pid() {
    return started().pid();
  }

  /** Calls the listener with the exit code when the most recently started process has ended. */
  void onExit(IntConsumer listener) {
    var unused = started().onExit().thenAccept(ended -> listener.accept(ended.exitValue()));
  }

  Path log() {
    return log;
  }

  private int exitCode() {
    return started().exitValue();
  }

  private Process started() {
    Process current = process;
    if (current == null) {
      throw new StackException(name + " was never started.");
    }
    return current;
  }

  private void signal(String signal) {
    if (!isAlive()) {
      throw new StackException("%s does not run: no SIG%s sent.".formatted(name, signal));
    }
    try {
      Process kill = kill(signal, pid()).start();
      if (!waitFor(kill, DEATH) || kill.exitValue() != 0) {
        throw new StackException("SIG%s could not be sent to %s.".formatted(signal, name));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the command that sends a signal: the shell's, because not every machine has another.
   */
  static ProcessBuilder kill(String signal, long pid) {
    return new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid);
  }

  private boolean waitFor(Process some, Duration limit) {
    try {
      return some.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw StackException.interrupted(name, e);
    }
  }

  private void ended() {
    paused = false;
    Children.remove(this);
    pidFile.delete();
  }
}
