package io.delaybridge.connect.it;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** The page on the plugins, which tests compare with the code. */
public final class Documentation {

  private static final String FENCE = "```";

  private Documentation() {}

  /** docs/connect.md as it stands. */
  public static String page() {
    try {
      return Files.readString(Path.of("..", "..", "docs", "connect.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The example configuration of this name, as a user would copy it. */
  public static Map<String, String> example(String name) {
    String begin = FENCE + "properties\nname=" + name + "\n";
    int from = page().indexOf(begin);
    if (from < 0) {
      throw new IllegalStateException("docs/connect.md has no example that begins: " + begin);
    }
    int start = from + begin.length();
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(page().substring(start, page().indexOf(FENCE, start))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.entrySet().stream()
        .collect(Collectors.toMap(e -> e.getKey().toString(), e -> e.getValue().toString()));
  }
}
