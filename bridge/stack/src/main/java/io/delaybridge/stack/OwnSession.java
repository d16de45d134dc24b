package io.delaybridge.stack;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a command in a session of its own, so that Ctrl-C in the terminal reaches only the process
 * in the foreground, which then ends the others in the right order.
 */
final class OwnSession {

  private static final List<String> PREFIX =
      onPath("setsid")
          .map(setsid -> List.of(setsid.toString()))
          .or(
              () ->
                  onPath("perl")
                      .map(
                          perl ->
                              List.of(
                                  perl.toString(),
                                  "-e",
                                  "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV or die $!",
                                  "--")))
          .orElse(List.of());

  private OwnSession() {}

  /** Returns the same command in its own session. The process id is that of the command. */
  static List<String> of(List<String> command) {
    List<String> all = new ArrayList<>(PREFIX);
    all.addAll(command);
    return all;
  }

  /** Returns the program of this name on the PATH. */
  static Optional<Path> onPath(String program) {
    String path = System.getenv("PATH");
    for (String directory : (path == null ? "" : path).split(File.pathSeparator, -1)) {
      Path file = Path.of(directory, program);
      if (!directory.isEmpty() && Files.isExecutable(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
