package io.delaybridge.stack;

import java.nio.file.Path;

/** The Java that runs this code runs the other processes as well. */
final class Java {

  private Java() {}

  static String command() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
