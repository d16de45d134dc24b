package io.delaybridge.stack;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/**
 * Ends a process when this JVM ends in whatever way, SIGKILL included: a shell waits on a pipe that
 * only this JVM holds open, and kills the process when the pipe closes. The shell itself ends with
 * the process: by then the number may be that of another one.
 */
final class Leash {

  private static final String SCRIPT = "trap '' INT HUP TERM; read -r line; kill -KILL \"$0\"";

  private Leash() {}

  static void on(Process process) throws IOException {
    Process watcher =
        new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(process.pid()))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start();
    var unused = process.onExit().thenRun(watcher::destroyForcibly);
  }
}
