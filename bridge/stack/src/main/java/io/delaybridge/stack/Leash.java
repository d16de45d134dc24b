package io.delaybridge.stack;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/**
 * Kills a process when this JVM ends for any reason, including SIGKILL. A shell waits on a pipe
 * that only this JVM holds open and kills the process when the pipe closes. The shell itself is
 * killed when the process ends, because another process may then get the same process id.
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
