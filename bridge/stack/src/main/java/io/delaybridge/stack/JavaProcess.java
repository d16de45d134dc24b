package io.delaybridge.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A Java program in its own JVM. Its directory holds {@code <name>.log} and, while it runs, {@code
 * <name>.pid}.
 */
public final class JavaProcess extends ProcessServer {

  private static final Duration STOP_LIMIT = Duration.ofSeconds(8);

  private final String main;
  private final String classPath;
  private List<String> jvmArgs = List.of("-Xmx512m");
  private List<String> arguments = List.of();

  private JavaProcess(String name, Path dir, String main, String classPath) {
    super(new ManagedProcess(name, dir), STOP_LIMIT);
    this.main = main;
    this.classPath = classPath;
  }

  /**
   * Returns a program on this class path.
   *
   * @param name the name of the process, which is part of its file names
   * @param main the class that has the main method
   */
  public static JavaProcess of(String name, Path dir, String main, String classPath) {
    return new JavaProcess(name, dir, main, classPath);
  }

  /** Replaces the arguments of the JVM; the default is {@code -Xmx512m}. */
  public JavaProcess jvm(List<String> args) {
    jvmArgs = List.copyOf(args);
    return this;
  }

  /** Sets the arguments of the program. */
  public JavaProcess arguments(String... words) {
    arguments = List.of(words);
    return this;
  }

  /** Starts the program and returns at once, because only the caller can tell when it is ready. */
  @Override
  public JavaProcess start() {
    List<String> command = new ArrayList<>(List.of(Java.command()));
    command.addAll(jvmArgs);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    process().start(command, Map.of());
    return this;
  }

  /**
   * Waits until the program has ended by itself.
   *
   * @throws StackException if it failed or had to be killed at the limit, with the end of its log
   */
  public void awaitEnd(Duration limit) {
    if (process().awaitEnd(limit) != 0) {
      throw failure("did not end well");
    }
  }

  /** Returns the exception for a problem with the program. It quotes the end of the log. */
  public StackException failure(String what) {
    return process().failure(what);
  }
}
