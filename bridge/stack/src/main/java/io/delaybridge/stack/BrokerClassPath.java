package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The class path of the broker's own process, written by the build. It names jars of the local
 * Maven repository, so that users of this module do not get the broker on theirs.
 */
final class BrokerClassPath {

  private static final String RESOURCE = "broker.classpath";
  private static final Pattern BROKER = Pattern.compile("kafka_2\\.13-([0-9.]+)\\.jar");
  private static final String LOGGING = "broker-logback.xml";

  private BrokerClassPath() {}

  /**
   * Returns the class path in the file that {@code -Dbroker.classpath} names, or else that of the
   * build.
   */
  static String read() {
    String file = System.getProperty("broker.classpath");
    if (file != null) {
      return read(Path.of(file));
    }
    return new String(resource(RESOURCE), StandardCharsets.UTF_8).strip();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new StackException("-Dbroker.classpath=%s cannot be read.".formatted(file), e);
    }
  }

  /** Writes the broker's logging configuration to a directory. */
  static Path writeLogging(Path dir) {
    try {
      return Files.write(dir.resolve("logback.xml"), resource(LOGGING));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the version of that broker, as in "4.4.0", whatever clients a test uses. */
  static String kafkaVersion() {
    Matcher broker = BROKER.matcher(read());
    if (!broker.find()) {
      throw new StackException("the class path of the broker has no %s".formatted(BROKER));
    }
    return broker.group(1);
  }

  private static byte[] resource(String name) {
    return Resources.read(
        BrokerClassPath.class,
        name,
        "the stack module was not built by Maven (mvn -Dquick compile).");
  }
}
