package io.delaybridge.bench.faults.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A reader that polls a file for orders: {@code halt POINT NTH}, {@code shift MILLIS}, or nothing.
 * It runs on its own thread inside the bridge.
 */
final class OrdersFile implements Runnable {

  private static final long PAUSE_MS = 20;

  private final Path file;
  private String read = "";

  OrdersFile(Path file) {
    this.file = file;
    obey();
  }

  @Override
  public void run() {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        obey();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void obey() {
    String text = text();
    if (text.equals(read)) {
      return;
    }
    read = text;
    String[] words = text.split(" ", -1);
    switch (words[0]) {
      case "halt" -> Orders.halt(Point.valueOf(words[1]), Integer.parseInt(words[2]));
      case "shift" -> Orders.shift(Long.parseLong(words[1]));
      default -> {
        Orders.go();
        Orders.shift(0);
      }
    }
  }

  private String text() {
    try {
      return Files.exists(file) ? Files.readString(file).strip() : "";
    } catch (IOException e) {
      // The file is being replaced; the next read finds it.
      return read;
    }
  }
}
