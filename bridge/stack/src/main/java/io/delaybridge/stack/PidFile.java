package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The file that names the process that uses a directory: {@code <pid> <start, epoch ms>}. The start
 * time distinguishes the process from a later one with the same id.
 */
record PidFile(Path path) {

  /**
   * The start time that the operating system reports moves a little when the clock is corrected.
   */
  private static final Duration TOLERANCE = Duration.ofSeconds(5);

  /** Returns the process in this file, if it still runs. */
  Optional<ProcessHandle> running() {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try {
      String[] words = Files.readString(path).strip().split(" ", -1);
      Instant started = Instant.ofEpochMilli(Long.parseLong(words[1]));
      return ProcessHandle.of(Long.parseLong(words[0]))
          .filter(PidFile::isRunning)
          .filter(process -> isClose(started, process.info().startInstant().orElse(started)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      // A crash cut the file short while it was written. It is treated as missing.
      return Optional.empty();
    }
  }

  /**
   * Returns whether a process runs. One that has ended stays in the list of processes until its
   * parent asks how it ended, and the first process of a container may never ask.
   */
  static boolean isRunning(ProcessHandle process) {
    try {
      String state = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return !state.substring(state.lastIndexOf(')')).startsWith(") Z");
    } catch (IOException e) {
      // There is no such process, or no /proc.
      return process.isAlive();
    }
  }

  void write(ProcessHandle process) {
    Instant started = process.info().startInstant().orElseGet(Instant::now);
    try {
      Files.writeString(path, process.pid() + " " + started.toEpochMilli() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isClose(Instant a, Instant b) {
    return Duration.between(a, b).abs().compareTo(TOLERANCE) < 0;
  }
}
