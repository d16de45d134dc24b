package io.delaybridge.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The choice of the program that runs as Redis. */
final class RedisBinary {

  /** The programs inside the embedded-redis jar, by operating system and processor. */
  private static final Map<String, String> EMBEDDED =
      Map.of(
          "linux-amd64", "redis-server-6.2.6-v5-linux-amd64",
          "linux-aarch64", "redis-server-6.2.7-linux-arm64",
          "mac-x86_64", "redis-server-6.2.6-v5-darwin-amd64",
          "mac-aarch64", "redis-server-6.2.6-v5-darwin-arm64");

  private RedisBinary() {}

  /**
   * Returns the program that {@code -Dredis.binary} names, else the installed one, else the one
   * inside the embedded-redis jar, copied to a directory. {@code -Dredis.binary=embedded} is the
   * last, whatever is installed.
   *
   * @throws StackException if the named program cannot be run, or if there is none for this machine
   */
  static Path any(Path dir) {
    String named = System.getProperty("redis.binary");
    if (named == null) {
      return installed().orElseGet(() -> embedded(dir));
    }
    return named.equals("embedded") ? embedded(dir) : executable(named);
  }

  private static Path executable(String named) {
    Path file = Path.of(named).toAbsolutePath();
    if (!Files.isExecutable(file)) {
      throw new StackException("-Dredis.binary=%s is no program.".formatted(named));
    }
    return file;
  }

  /** Returns the installed {@code redis-server} or {@code valkey-server}. */
  static Optional<Path> installed() {
    return OwnSession.onPath("redis-server").or(() -> OwnSession.onPath("valkey-server"));
  }

  /**
   * Returns the program inside the embedded-redis jar, copied to a directory.
   *
   * @throws StackException if there is none for this machine
   */
  static Path embedded(Path dir) {
    String platform = platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    String name = EMBEDDED.get(platform);
    if (name == null) {
      throw new StackException(
          "No Redis is bundled for "
              + platform
              + ": install redis-server or valkey-server so that it is on the PATH.");
    }
    return copy(name, dir.resolve(name));
  }

  private static String platform(String os, String processor) {
    String lower = os.toLowerCase(Locale.ROOT);
    return (lower.startsWith("mac") ? "mac" : lower) + "-" + processor;
  }

  private static Path copy(String resource, Path file) {
    try (InputStream in = RedisBinary.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new StackException(resource + " is missing from the embedded-redis jar.");
      }
      if (!Files.isExecutable(file)) {
        Files.createDirectories(file.getParent());
        Files.write(file, in.readAllBytes());
        if (!file.toFile().setExecutable(true)) {
          throw new StackException(file + " cannot be made executable.");
        }
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
