package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.lab.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directories for the data and the logs of the servers, one for each run, with the id of the
 * process that it belongs to. A run that was killed leaves tens of gigabytes behind.
 *
 * @param parent the parent of all these directories
 */
record Runs(Path parent) {

  private static final String PID = "pid";

  /** Deletes the data, but not the logs, of runs whose process has ended. */
  void sweep() throws IOException {
    if (!Files.exists(parent)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> list = Files.list(parent)) {
      all = list.toList();
    }
    for (Path dir : all) {
      if (isDead(dir.resolve(PID))) {
        Lab.deleteData(dir);
      }
    }
  }

  /** Returns whether the process has ended; false if the file is missing or still empty. */
  private static boolean isDead(Path pid) throws IOException {
    if (!Files.exists(pid)) {
      return false;
    }
    String id = Files.readString(pid);
    return !id.isEmpty() && ProcessHandle.of(Long.parseLong(id)).isEmpty();
  }

  /** Creates a directory that belongs to this process. */
  Path begin(String what) throws IOException {
    Path dir = Files.createTempDirectory(Files.createDirectories(parent), what);
    Files.writeString(dir.resolve(PID), Long.toString(ProcessHandle.current().pid()));
    return dir;
  }
}
