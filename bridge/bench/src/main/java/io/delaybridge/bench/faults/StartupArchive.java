package io.delaybridge.bench.faults;

import io.delaybridge.stack.BridgeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Classes of the bridge as its JVM keeps them in memory (class data sharing): with it, a bridge
 * starts in about half of the processor time, and runs start hundreds. Made once per build of the
 * bridge, by the first bridge that is healthy. A JVM that finds it outdated does without it.
 */
final class StartupArchive {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Path jar;
  private final Path file;

  StartupArchive(Path jar, Path file) {
    this.jar = jar;
    this.file = file.toAbsolutePath();
  }

  /** What a JVM is told to use the archive, or to be able to make it. */
  List<String> arguments() {
    return isThere()
        ? List.of("-XX:SharedArchiveFile=" + file)
        : List.of("-XX:+RecordDynamicDumpInfo");
  }

  boolean isThere() {
    try {
      return Files.exists(file)
          && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(jar)) > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes the archive from what this bridge has loaded; does nothing if the JDK can not. */
  void make(BridgeProcess bridge) {
    try {
      Files.deleteIfExists(file);
      Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
      if (!Files.isExecutable(jcmd)) {
        return;
      }
      Process dump =
          new ProcessBuilder(
                  jcmd.toString(),
                  Long.toString(bridge.pid()),
                  "VM.cds",
                  "dynamic_dump",
                  file.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!dump.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        dump.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw FaultsException.interrupted("the startup archive", e);
    }
  }
}
