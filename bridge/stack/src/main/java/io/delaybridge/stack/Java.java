package io.delaybridge.stack;

import java.nio.file.Path;

/** The Java installation that runs this code, which also runs the other processes. */
final class Java {

  private Java() {}

  static String command() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
