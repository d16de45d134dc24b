package io.delaybridge.stack;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/**
 * Ends a process when this JVM ends in whatever way, SIGKILL included: a shell waits on a pipe that
 * only this JVM holds open, and kills the process when the pipe closes.
 */
final class Leash {

  private static final String SCRIPT = "trap '' INT HUP TERM; read -r line; kill -KILL \"$0\"";

  private final Process watcher;

  private Leash(Process watcher) {
    this.watcher = watcher;
  }

  static Leash on(long pid) throws IOException {
    return new Leash(
        new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(pid))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start());
  }

  void release() {
    watcher.destroyForcibly();
  }
}
