package io.delaybridge.stack;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log file. */
final class LogTail {

  private static final int MOST_BYTES = 8_192;

  private LogTail() {}

  /** Returns at most this many last lines, and at most 8 KiB. */
  static String of(Path log, int lines) {
    if (!Files.exists(log)) {
      return "(there is no log)";
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] end = new byte[(int) Math.min(file.length(), MOST_BYTES)];
      file.seek(file.length() - end.length);
      file.readFully(end);
      List<String> all = new String(end, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    } catch (IOException e) {
      return "(not readable: " + e.getMessage() + ")";
    }
  }
}
