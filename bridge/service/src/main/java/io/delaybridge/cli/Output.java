package io.delaybridge.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/** What the commands print. */
final class Output {

  private Output() {}

  /** Returns the standard output, in UTF-8 whatever the locale is. */
  static PrintStream out() {
    return new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
  }

  /**
   * Returns the message with those of its causes: if a client cannot be created, only the causes
   * say why.
   */
  static String reason(Throwable failure) {
    StringJoiner reason = new StringJoiner(": ");
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      reason.add(String.valueOf(cause.getMessage()));
    }
    return reason.toString();
  }
}
