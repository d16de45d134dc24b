package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * The class path of the broker's own process, written by the build. It names jars of the local
 * Maven repository, so that users of this module do not get the broker on theirs.
 */
final class BrokerClassPath {

  private static final String RESOURCE = "broker.classpath";
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

  /** The version of Kafka on this module's class path, as in "4.4.0". */
  static String kafkaVersion() {
    return AppInfoParser.getVersion();
  }

  private static byte[] resource(String name) {
    return Resources.read(
        BrokerClassPath.class,
        name,
        "the stack module was not built by Maven (mvn -Dquick compile).");
  }
}
