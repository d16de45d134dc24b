package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The jar of the bridge as a shell calls it, in a locale. */
final class CommandLine {

  private static final long LIMIT_SECONDS = 120;

  private final Path dir;
  private final Map<String, String> environment;

  /**
   * @param dir the working directory
   * @param environment variables; no other one says what the locale is
   */
  CommandLine(Path dir, Map<String, String> environment) {
    this.dir = dir;
    this.environment = environment;
  }

  /** What a command has left behind, its output read as UTF-8. */
  record Result(int status, String out, String err) {

    Result ok() {
      assertThat(status).as("%s%n%s", out, err).isZero();
      return this;
    }
  }

  /**
   * Runs a command to its end.
   *
   * @param arguments as one writes them in a shell. They reach it as UTF-8, whatever the locale of
   *     this process is.
   */
  Result run(String arguments) throws IOException, InterruptedException {
    return run(arguments, "");
  }

  /**
   * Runs a command to its end.
   *
   * @param before what the shell does before
   */
  Result run(String arguments, String before) throws IOException, InterruptedException {
    Path script = Files.createTempFile(dir, "command", ".sh");
    Path out = script.resolveSibling(script.getFileName() + ".out");
    Path err = script.resolveSibling(script.getFileName() + ".err");
    Files.writeString(
        script,
        "%s exec '%s' -XX:TieredStopAtLevel=1 -jar '%s' %s\n"
            .formatted(
                before,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Path.of(System.getProperty("bridge.jar")).toAbsolutePath(),
                arguments));
    ProcessBuilder shell =
        new ProcessBuilder("sh", script.toString())
            .directory(dir.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    shell.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
    shell.environment().putAll(environment);
    Process process = shell.start();
    try {
      process.getOutputStream().close();
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ends: %s", script).isTrue();
      return new Result(process.exitValue(), read(out), read(err));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
