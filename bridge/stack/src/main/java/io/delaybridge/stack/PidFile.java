package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Says which process works on a directory: {@code <pid> <start, epoch ms>}. The start tells the
 * process from a later one that was given the same number.
 */
record PidFile(Path path) {

  /** The operating system's idea of the start moves a little when the clock is corrected. */
  private static final Duration TOLERANCE = Duration.ofSeconds(5);

  /** The process that was written here, if it still runs. */
  Optional<ProcessHandle> running() {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try {
      String[] words = Files.readString(path).strip().split(" ", -1);
      Instant started = Instant.ofEpochMilli(Long.parseLong(words[1]));
      return ProcessHandle.of(Long.parseLong(words[0]))
          .filter(ProcessHandle::isAlive)
          .filter(process -> isClose(started, process.info().startInstant().orElse(started)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      // Cut short by a crash while it was written: it says nothing, as if it were not there.
      return Optional.empty();
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
